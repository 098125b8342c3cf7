import { Type } from 'typebox';
import type { RetryOutcome } from '../../../recovery/api.ts';
import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { timeField } from '../../fields.ts';
import { type Answer, jsonAnswer } from '../../server/answer.ts';
import { conflict, notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { refusalDocs } from '../message-docs.ts';
import { pathId } from '../path-id.ts';
import { paymentNotFoundDocs, paymentPath } from './payment-path.ts';

const bodySchema = Type.Object(
  { retry_at: Type.Optional(timeField('When to try. Without it: now.')) },
  { description: 'May be left out.' },
);

const message = 'Retry scheduled';

/** POST /recover/payments/{invoice_id}/retry: Client Retry. */
export const retryPayment = defineEndpoint({
  method: 'POST',
  path: '/recover/payments/{invoice_id}/retry',
  scope: 'act',
  docs: {
    id: 'retryPayment',
    tag: 'Payments',
    summary: 'Retry a payment at a time of your choice',
    description:
      "Tries the payment now or at retry_at. The network's rules, the window, the budget of tries " +
      'and the final check at your server hold as for every retry.',
  },
  schema: { path: paymentPath, body: bodySchema },
  body: { isOptional: true, examples: { now: {}, later: { retry_at: '2026-06-03T09:00:00Z' } } },
  answers: {
    200: {
      description: 'The retry is planned.',
      schema: Type.Object({
        message: Type.String({ default: message }),
        invoice_id: Type.String(),
        next_attempt_at: timeField('When it is tried.'),
      }),
      example: { message, invoice_id: 'in_1001', next_attempt_at: '2026-06-03T09:00:00.000Z' },
    },
    404: paymentNotFoundDocs,
    409: refusalDocs(
      'A rule forbids the retry, or the payment has ended.',
      'Conflict',
      'The payment has ended as recovered.',
    ),
  },
  async answer({ path, body }, { api, caller }: RecoveryContext) {
    const invoiceId = pathId(path.invoice_id);
    if (invoiceId === undefined) return notFound('Payment');
    const of = { merchantId: caller.merchantId, invoiceId };
    const outcome = await api.retryPayment(
      body.retry_at === undefined ? of : { ...of, retryAt: new Date(body.retry_at) },
    );
    return outcomeAnswer(outcome, invoiceId);
  },
});

function outcomeAnswer(outcome: RetryOutcome, invoiceId: string): Answer {
  switch (outcome.kind) {
    case 'scheduled':
      return jsonAnswer(200, {
        message,
        invoice_id: invoiceId,
        next_attempt_at: outcome.nextAttemptAt.toISOString(),
      });
    case 'refused':
      return conflict(outcome.because);
    case 'not_found':
      return notFound('Payment');
  }
}
