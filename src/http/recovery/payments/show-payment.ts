import { defineEndpoint } from '../../endpoint/define-endpoint.ts';
import { jsonAnswer } from '../../server/answer.ts';
import { paymentViewExample } from '../../views/payment-example.ts';
import { paymentJson, paymentShape } from '../../views/payment-shape.ts';
import { notFound } from '../answers.ts';
import type { RecoveryContext } from '../caller.ts';
import { pathId } from '../path-id.ts';
import { paymentNotFoundDocs, paymentPath } from './payment-path.ts';

/** GET /recover/payments/{invoice_id}: Get Payment Information. */
export const showPayment = defineEndpoint({
  method: 'GET',
  path: '/recover/payments/{invoice_id}',
  scope: 'read',
  docs: {
    id: 'showPayment',
    tag: 'Payments',
    summary: 'Get payment information',
    description:
      'The payment of an invoice: its status, the next try, and every try so far with the ' +
      "decision behind it, the PSP's transactions and the deliveries of its webhooks.",
  },
  schema: { path: paymentPath },
  answers: {
    200: { description: 'The payment.', schema: paymentShape, example: paymentViewExample },
    404: paymentNotFoundDocs,
  },
  async answer({ path }, { api, caller }: RecoveryContext) {
    const invoiceId = pathId(path.invoice_id);
    const payment =
      invoiceId && (await api.showPayment({ merchantId: caller.merchantId, invoiceId }));
    return payment ? jsonAnswer(200, paymentJson(payment)) : notFound('Payment');
  },
});
