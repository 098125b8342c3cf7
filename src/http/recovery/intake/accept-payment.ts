import type { PaymentEventBody } from '../../../domain/payment-event.ts';
import { compileSchema } from '../../check-schema.ts';
import type { Caller } from '../caller.ts';
import type { PostEndpoint } from '../endpoint.ts';
import { paymentExample } from './payment-example.ts';
import { paymentFaults } from './payment-rules.ts';
import { paymentSchema } from './payment-schema.ts';
import { receiptAnswer, receiptDocs } from './receipt.ts';

/** POST /recover/payments: one billing attempt, failed or successful. */
export const acceptPayment: PostEndpoint<PaymentEventBody> = {
  method: 'POST',
  path: '/recover/payments',
  bodyIsOptional: false,
  check: compileSchema<Caller>(paymentSchema, paymentFaults),
  operation: {
    operationId: 'acceptPayment',
    tag: 'Intake',
    summary: 'Report a billing attempt',
    description:
      'Send one event for each billing attempt, failed or successful. A failed one starts the ' +
      'recovery of its invoice. A successful one ends it, and is history that retries learn from.',
    body: { schema: paymentSchema, examples: { failed: paymentExample } },
    answers: receiptDocs,
  },
  async answer({ api, caller, body, uuid }) {
    return receiptAnswer(await api.acceptPayment({ merchantId: caller.merchantId, body, uuid }));
  },
};
