import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { createReplayStore } from '../../store/replays/replay-store.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, pageJson, pageOf, pageQuery, pageShape, refusals } from '../shapes.ts';
import { replayJson, replayShape } from './replay-shape.ts';

/** GET /api/merchants/{id}/replays */
export const listReplays = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/replays',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'listReplays',
    tag: 'Deliveries',
    summary: "List a merchant's replays",
    description: 'The newest first.',
  },
  schema: { path: merchantPath, query: Type.Object(pageQuery, { additionalProperties: false }) },
  answers: { 200: pageShape(replayShape, 'One page of them.'), ...refusals(400, 404) },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const page = await createReplayStore(db).list({ merchantId, ...pageOf(query) });
    return contentAnswer(pageJson(page, replayJson));
  },
});
