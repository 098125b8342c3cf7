import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, refusals } from '../shapes.ts';

const trainBody = Type.Object(
  { merchant_id: Type.Optional(merchantIdField) },
  {
    description: 'May be left out: then the model of all merchants is trained.',
    additionalProperties: false,
    examples: [{}, { merchant_id: 'mer_3v5kq0m2w8x1c7n4t6r9b2h1' }],
  },
);

const queuedShape = Type.Object(
  { state: Type.String({ const: 'queued' }) },
  {
    description: 'A worker trains it; GET /api/models shows its progress.',
    examples: [{ state: 'queued' }],
  },
);

/** POST /api/models/train */
export const trainModel = defineEndpoint({
  method: 'POST',
  path: '/api/models/train',
  needs: { role: 'operator', reach: 'all' },
  docs: {
    id: 'trainModel',
    tag: 'Models',
    summary: 'Train a model now',
    description:
      'From the tries in the database, as every night. It is promoted where it predicts ' +
      'held-out tries better than the active one.',
  },
  schema: { body: trainBody },
  body: { isOptional: true },
  answers: { 202: queuedShape, ...refusals(400, 404) },
  async answer({ body }, deps: OperatorDeps) {
    const { merchant_id: id } = body;
    if (id === undefined) await deps.api.trainModel();
    else await deps.api.trainModel((await findMerchant(deps.db, id)).merchantId);
    return contentAnswer({ state: 'queued' }, 202);
  },
});
