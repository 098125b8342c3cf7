import { Type } from 'typebox';
import type { PaymentEventBody } from '../../../domain/payment-event.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import type { RecoveryContext } from '../caller.ts';
import { paymentExample } from './payment-example.ts';
import { paymentFaults } from './payment-rules.ts';
import { paymentSchema } from './payment-schema.ts';
import { receiptAnswer, receiptDocs } from './receipt.ts';

/** POST /recover/payments: one billing attempt, failed or successful. */
export const acceptPayment = defineEndpoint({
  method: 'POST',
  path: '/recover/payments',
  scope: 'intake',
  docs: {
    id: 'acceptPayment',
    tag: 'Intake',
    summary: 'Report a billing attempt',
    description:
      'Send one event for each billing attempt, failed or successful. A failed one starts the ' +
      'recovery of its invoice. A successful one ends it, and is history that retries learn from.',
  },
  schema: { body: Type.Unsafe<PaymentEventBody>(paymentSchema) },
  body: { rules: paymentFaults, examples: { failed: paymentExample } },
  answers: receiptDocs,
  async answer({ body }, { api, caller, receiptUuid }: RecoveryContext) {
    return receiptAnswer(
      await api.acceptPayment({ merchantId: caller.merchantId, body, uuid: receiptUuid }),
    );
  },
});
