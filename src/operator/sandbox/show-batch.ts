import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { decimalNumber } from '../../domain/money.ts';
import { paymentStates } from '../../domain/states.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { enumField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { paymentSummaryJson } from '../../http/views/payment-shape.ts';
import { invoiceIdsOfAny } from '../../recovery/sandbox-batch.ts';
import { readBatch } from '../../store/reports/sandbox-batch.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { operatorPaymentSummaryShape } from '../payments/list-payments.ts';
import { refusals } from '../shapes.ts';
import { batchField } from './batch-field.ts';
import { sandboxOf } from './sandbox-of.ts';

const path = Type.Object({ batch: batchField });

const batchShape = Type.Object(
  {
    totals: Type.Array(
      Type.Object(
        {
          status: enumField(paymentStates, 'The last three are final.'),
          currency: Type.String(),
          count: Type.Integer(),
          amount: Type.Number({ description: 'The sum of their amounts.' }),
        },
        { title: 'BatchTotal' },
      ),
    ),
    latest: Type.Array(operatorPaymentSummaryShape, {
      description: 'The 25 that changed last, the latest first.',
    }),
  },
  {
    title: 'Batch',
    description: 'How the payments of a batch stand now.',
    examples: [
      { totals: [{ status: 'recovered', currency: 'USD', count: 41, amount: 1204.5 }], latest: [] },
    ],
  },
);

/** GET /api/sandbox/payments/{batch} */
export const showBatch = defineEndpoint({
  method: 'GET',
  path: '/api/sandbox/payments/{batch}',
  needs: { role: 'viewer', reach: 'all' },
  docs: { id: 'showBatch', tag: 'Sandbox', summary: 'Show how a batch of payments stands' },
  schema: { path },
  answers: { 200: batchShape, ...refusals(404) },
  async answer({ path }, deps: OperatorDeps) {
    const { merchantId } = sandboxOf(deps);
    const invoiceIds = invoiceIdsOfAny(path.batch);
    const { totals, latest } = await readBatch(deps.db, { merchantId, invoiceIds });
    if (totals.length === 0) throw new AppError('not_found', 'There is no batch with this id.');
    return contentAnswer({
      totals: totals.map(({ status, currency, count, amountMinor }) => ({
        status,
        currency,
        count,
        amount: decimalNumber({ amountMinor, currency }),
      })),
      latest: latest.map((payment) => ({
        merchant_id: merchantId,
        ...paymentSummaryJson(payment),
      })),
    });
  },
});
