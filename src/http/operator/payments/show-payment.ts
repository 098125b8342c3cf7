import type { FastifyInstance } from 'fastify';
import { Type } from 'typebox';
import { paymentViewExample } from '../../views/payment-example.ts';
import { paymentFields, paymentJson } from '../../views/payment-shape.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { type PaymentPath, paymentNotFound, paymentPath } from './payment-path.ts';

export const operatorPaymentShape = Type.Object(
  { merchant_id: merchantIdField, ...paymentFields },
  {
    title: 'Payment',
    description: 'The payment, every attempt with its decision, and every delivery.',
    examples: [{ merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', ...paymentViewExample }],
  },
);

/** GET /api/merchants/{id}/payments/{invoice_id} */
export function showPayment(server: FastifyInstance, deps: OperatorDeps): void {
  server.get<{ Params: PaymentPath }>(
    '/merchants/:id/payments/:invoice_id',
    {
      schema: {
        tags: ['Payments'],
        operationId: 'showPayment',
        summary: 'Show a payment and all that touched it',
        params: paymentPath,
        response: { 200: operatorPaymentShape, ...refusals(404) },
      },
    },
    async (request) => {
      const { id: merchantId, invoice_id: invoiceId } = request.params;
      const payment = await deps.api.showPayment({ merchantId, invoiceId });
      if (payment === undefined) throw paymentNotFound();
      return { merchant_id: merchantId, ...paymentJson(payment) };
    },
  );
}
