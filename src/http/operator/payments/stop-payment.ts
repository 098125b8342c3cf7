import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { limits } from '../../../domain/limits.ts';
import { isFinal, paymentStates } from '../../../domain/states.ts';
import { wordField } from '../../fields.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { refusals, wordsField } from '../shapes.ts';
import { type PaymentPath, paymentNotFound, paymentPath } from './payment-path.ts';

const stopBody = Type.Object(
  { reason: wordsField('Why, in words; kept with the payment.', limits.messageLength) },
  { additionalProperties: false, examples: [{ reason: 'the customer asked for it' }] },
);

const ended = paymentStates.filter(isFinal);

const stoppedShape = Type.Object(
  { status: wordField(ended, 'How it ended, which may have been before.') },
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
export function stopPayment(server: FastifyInstance, deps: OperatorDeps): void {
  server.post<{ Params: PaymentPath; Body: Type.Static<typeof stopBody> }>(
    '/merchants/:id/payments/:invoice_id/stop',
    {
      schema: {
        tags: ['Payments'],
        operationId: 'stopPayment',
        summary: 'Stop the recovery of a payment',
        params: paymentPath,
        body: stopBody,
        response: { 200: stoppedShape, 202: stoppingShape, ...refusals(400, 404) },
      },
    },
    async (request, reply) => {
      const { id: merchantId, invoice_id: invoiceId } = request.params;
      const { reason } = request.body;
      const outcome = await deps.api.stopPayment({ merchantId, invoiceId, reason });
      switch (outcome.kind) {
        case 'stopped':
          return { status: 'stopped' };
        case 'already':
          return { status: outcome.status };
        case 'in_flight':
          return reply.code(202).send({ status: 'in_flight' });
        case 'not_found':
          throw paymentNotFound();
      }
    },
  );
}
