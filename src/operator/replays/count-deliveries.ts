import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createReplayStore } from '../../store/replays/replay-store.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { countField, merchantPath, refusals } from '../shapes.ts';
import { readScope, scopeFields } from './replay-shape.ts';

const from = { ...scopeFields.from, examples: ['2026-03-01T00:00:00Z'] };

/** GET /api/merchants/{id}/deliveries/count */
export const countDeliveries = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/deliveries/count',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'countDeliveries',
    tag: 'Deliveries',
    summary: 'Count what a replay would send again',
    description: 'By the fields of `POST /api/merchants/{id}/replays`; nothing is sent.',
  },
  schema: {
    path: merchantPath,
    query: Type.Object({ ...scopeFields, from }, { additionalProperties: false }),
  },
  answers: {
    200: Type.Object(
      { count: countField('Deliveries of this kind now.') },
      { description: 'How many there are.', examples: [{ count: 12 }] },
    ),
    ...refusals(400, 404),
  },
  async answer({ path, query }, { db, now }: Pick<OperatorDeps, 'db' | 'now'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const scope = { until: now(), ...readScope(merchantId, query) };
    return contentAnswer({ count: await createReplayStore(db).count(scope) });
  },
});
