import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';
import { readScope, replayJson, replayShape, scopeFields } from './replay-shape.ts';

const body = Type.Object(scopeFields, {
  additionalProperties: false,
  examples: [
    { from: '2026-03-01T00:00:00Z' },
    { from: '2026-03-08T00:00:00Z', until: '2026-03-09T00:00:00Z', status: 'any' },
  ],
});

/** POST /api/merchants/{id}/replays */
export const beginReplay = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/replays',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'beginReplay',
    tag: 'Deliveries',
    summary: 'Send many events again',
    description:
      'With the same bodies and deduplication ids, so that a merchant who has seen one knows it. ' +
      'What is not accepted is sent again every 12 hours for another 7 days. It goes on in the ' +
      'background, after a restart too. `GET /api/merchants/{id}/deliveries/count` says beforehand how many are meant.',
  },
  schema: { path: merchantPath, body },
  answers: { 202: replayShape, ...refusals(400, 404) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    return contentAnswer(replayJson(await deps.api.beginReplay(readScope(merchantId, body))), 202);
  },
});
