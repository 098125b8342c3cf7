import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { paymentViewExample } from '../../http/views/payment-example.ts';
import { paymentFields, paymentJson } from '../../http/views/payment-shape.ts';
import { showPayment as readPayment } from '../../store/views/payment-views.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { keyOf, paymentNotFound, paymentPath } from './payment-path.ts';

export const operatorPaymentShape = Type.Object(
  { merchant_id: merchantIdField, ...paymentFields },
  {
    title: 'Payment',
    description: 'The payment, every attempt with its decision, and every delivery.',
    examples: [{ merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', ...paymentViewExample }],
  },
);

/** GET /api/merchants/{id}/payments/{invoice_id} */
export const showPayment = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/payments/{invoice_id}',
  needs: { role: 'viewer', reach: 'path' },
  docs: { id: 'showPayment', tag: 'Payments', summary: 'Show a payment and all that touched it' },
  schema: { path: paymentPath },
  answers: { 200: operatorPaymentShape, ...refusals(404) },
  async answer({ path }, { db }: Pick<OperatorDeps, 'db'>) {
    const key = await keyOf(db, path);
    const payment = await readPayment(db, key);
    if (payment === undefined) throw paymentNotFound();
    return contentAnswer({ merchant_id: key.merchantId, ...paymentJson(payment) });
  },
});
