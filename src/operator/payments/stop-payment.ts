import { Type } from 'typebox';
import { limits } from '../../domain/limits.ts';
import { isFinal, paymentStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { messageField, refusals } from '../shapes.ts';
import { paymentNotFound, paymentPath } from './payment-path.ts';

const stopBody = Type.Object(
  { reason: messageField('Why, in words; kept with the payment.', limits.messageLength) },
  { additionalProperties: false, examples: [{ reason: 'the customer asked for it' }] },
);

const ended = paymentStates.filter(isFinal);

const stoppedShape = Type.Object(
  { status: enumField(ended, 'How it ended, which may have been before.') },
  { description: 'Nothing is charged after this answer.', examples: [{ status: 'stopped' }] },
);

const stoppingShape = Type.Object(
  { status: Type.String({ const: 'in_flight' }) },
  {
    description: 'A charge is on its way, and nothing is charged after it.',
    examples: [{ status: 'in_flight' }],
  },
);

/** POST /api/merchants/{id}/payments/{invoice_id}/stop */
export const stopPayment = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/payments/{invoice_id}/stop',
  needs: { role: 'operator', reach: 'path' },
  docs: { id: 'stopPayment', tag: 'Payments', summary: 'Stop the recovery of a payment' },
  schema: { path: paymentPath, body: stopBody },
  answers: { 200: stoppedShape, 202: stoppingShape, ...refusals(400, 404) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { id: merchantId, invoice_id: invoiceId } = path;
    const { reason } = body;
    const outcome = await deps.api.stopPayment({ merchantId, invoiceId, reason });
    switch (outcome.kind) {
      case 'stopped':
        return contentAnswer({ status: 'stopped' });
      case 'already':
        return contentAnswer({ status: outcome.status });
      case 'in_flight':
        return contentAnswer({ status: 'in_flight' }, 202);
      case 'not_found':
        throw paymentNotFound();
    }
  },
});
