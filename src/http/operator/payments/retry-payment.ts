import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { AppError } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import { timeField } from '../../fields.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals } from '../shapes.ts';
import { type PaymentPath, paymentNotFound, paymentPath } from './payment-path.ts';

const retryBody = Type.Object(
  { retry_at: Type.Optional(timeField('When to try. Default: now.')) },
  {
    description: 'May be left out.',
    'x-optional': true,
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
export function retryPayment(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: PaymentPath; Body: Type.Static<typeof retryBody> }>(
    '/merchants/:id/payments/:invoice_id/retry',
    {
      schema: {
        tags: ['Payments'],
        operationId: 'retryPayment',
        summary: 'Try a payment now or at a time',
        description: '409 says which rule forbids it.',
        params: paymentPath,
        body: retryBody,
        response: { 202: scheduledShape, ...refusals(400, 404, 409) },
      },
      preValidation: async (request) => {
        request.body ??= {};
      },
    },
    async (request, reply) => {
      const { id: merchantId, invoice_id: invoiceId } = request.params;
      const { retry_at: text } = request.body;
      const retryAt = text === undefined ? undefined : new Date(text);
      const outcome = await deps.api.retryPayment({
        merchantId,
        invoiceId,
        ...present({ retryAt }),
      });
      switch (outcome.kind) {
        case 'scheduled':
          return reply.code(202).send({
            status: 'scheduled',
            next_attempt_at: outcome.nextAttemptAt.toISOString(),
          });
        case 'refused':
          throw new AppError('conflict', outcome.because);
        case 'not_found':
          throw paymentNotFound();
      }
    },
  );
}
