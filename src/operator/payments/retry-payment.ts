import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { paymentNotFound, paymentPath } from './payment-path.ts';

const retryBody = Type.Object(
  { retry_at: Type.Optional(timeField('When to try. Default: now.')) },
  {
    description: 'May be left out.',
    additionalProperties: false,
    examples: [{}, { retry_at: '2026-03-02T06:00:00Z' }],
  },
);

const scheduledShape = Type.Object(
  {
    status: Type.String({ const: 'scheduled' }),
    next_attempt_at: timeField('When it is tried.'),
  },
  {
    description: 'It is tried then, after the final check like every attempt.',
    examples: [{ status: 'scheduled', next_attempt_at: '2026-03-02T06:00:00.000Z' }],
  },
);

/** POST /api/merchants/{id}/payments/{invoice_id}/retry */
export const retryPayment = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/payments/{invoice_id}/retry',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'retryPayment',
    tag: 'Payments',
    summary: 'Try a payment now or at a time',
    description: '409 says which rule forbids it.',
  },
  schema: { path: paymentPath, body: retryBody },
  body: { isOptional: true },
  answers: { 202: scheduledShape, ...refusals(400, 404, 409) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { id: merchantId, invoice_id: invoiceId } = path;
    const { retry_at: text } = body;
    const retryAt = text === undefined ? undefined : new Date(text);
    const outcome = await deps.api.retryPayment({
      merchantId,
      invoiceId,
      ...present({ retryAt }),
    });
    switch (outcome.kind) {
      case 'scheduled':
        return contentAnswer(
          {
            status: 'scheduled',
            next_attempt_at: outcome.nextAttemptAt.toISOString(),
          },
          202,
        );
      case 'refused':
        throw new AppError('conflict', outcome.because);
      case 'not_found':
        throw paymentNotFound();
    }
  },
});
