import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import type { StopOutcome } from '../../../recovery/api.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { type Answer, jsonAnswer } from '../../server/answer.ts';
import { conflict, notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { refusalDocs } from '../message-docs.ts';
import { pathId } from '../path-id.ts';
import { paymentNotFoundDocs, paymentPath } from './payment-path.ts';

const bodySchema = Type.Object(
  {
    reason: Type.Optional(
      Type.String({
        description: 'Why, in your own words; shown as stop_detail.',
        minLength: 1,
        maxLength: limits.messageLength,
      }),
    ),
  },
  { description: 'May be left out.' },
);

const message = 'Payment stopped';
const defaultReason = 'Stopped through the API.';
const inFlight =
  'A charge is on its way. The stop is recorded: nothing is sent after that charge. Stop again, or ' +
  'look at the payment, to see how it ended.';

/** POST /recover/payments/{invoice_id}/stop. Stopping what is stopped already answers 200 again. */
export const stopPayment = defineEndpoint({
  method: 'POST',
  path: '/recover/payments/{invoice_id}/stop',
  scope: 'act',
  docs: {
    id: 'stopPayment',
    tag: 'Payments',
    summary: 'Stop the recovery of a payment',
    description: 'Ends the recovery. Nothing is charged after the stop was acknowledged with 200.',
  },
  schema: { path: paymentPath, body: bodySchema },
  body: {
    isOptional: true,
    examples: { with_reason: { reason: 'The customer cancelled.' }, without: {} },
  },
  answers: {
    200: {
      description: 'The payment is stopped, now or already.',
      schema: Type.Object({
        message: Type.String({ default: message }),
        invoice_id: Type.String(),
        status: Type.String({ default: 'stopped' }),
      }),
      example: { message, invoice_id: 'in_1001', status: 'stopped' },
    },
    404: paymentNotFoundDocs,
    409: refusalDocs('The payment has ended, or a charge is on its way.', 'Conflict', inFlight),
  },
  async answer({ path, body }, { api, caller }: RecoveryContext) {
    const invoiceId = pathId(path.invoice_id);
    if (invoiceId === undefined) return notFound('Payment');
    const outcome = await api.stopPayment({
      merchantId: caller.merchantId,
      invoiceId,
      reason: body.reason ?? defaultReason,
    });
    return outcomeAnswer(outcome, invoiceId);
  },
});

function outcomeAnswer(outcome: StopOutcome, invoiceId: string): Answer {
  switch (outcome.kind) {
    case 'stopped':
      return jsonAnswer(200, { message, invoice_id: invoiceId, status: 'stopped' });
    case 'already':
      return outcome.status === 'stopped'
        ? jsonAnswer(200, { message, invoice_id: invoiceId, status: 'stopped' })
        : conflict(`The payment has ended as ${outcome.status}.`);
    case 'in_flight':
      return conflict(inFlight);
    case 'not_found':
      return notFound('Payment');
  }
}
