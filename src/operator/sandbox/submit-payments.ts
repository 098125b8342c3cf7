import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { maxBatchSize } from '../../recovery/sandbox-api.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';
import { batchField } from './batch-field.ts';
import { sandboxOf } from './sandbox-of.ts';

const maxSeed = 2_147_483_647;

const submitBody = Type.Object(
  {
    count: Type.Integer({ minimum: 1, maximum: maxBatchSize, description: 'How many payments.' }),
    seed: Type.Integer({
      minimum: 0,
      maximum: maxSeed,
      description: 'Chooses the payers: the same seed gives the same ones.',
    }),
  },
  { additionalProperties: false, examples: [{ count: 100, seed: 7 }] },
);

const submittedShape = Type.Object(
  { batch: batchField, merchant_id: merchantIdField, count: Type.Integer() },
  {
    description: 'The payments are reported; their recovery has begun.',
    examples: [{ batch: '3v5kq0m2', merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1', count: 100 }],
  },
);

/** POST /api/sandbox/payments */
export const submitPayments = defineEndpoint({
  method: 'POST',
  path: '/api/sandbox/payments',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'submitPayments',
    tag: 'Sandbox',
    summary: 'Report failed payments of a simulated world',
    description:
      'They are reported for the demo merchant as any merchant would, with the declines, ' +
      'amounts and cards that docs/simulator.md describes. Move the clock, and they recover.',
  },
  schema: { body: submitBody },
  answers: { 201: submittedShape, ...refusals(400, 404) },
  async answer({ body }, deps: OperatorDeps) {
    const { batch, merchantId, count } = await sandboxOf(deps).submitPayments(body);
    return contentAnswer({ batch, merchant_id: merchantId, count }, 201);
  },
});
