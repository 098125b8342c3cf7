import { Type } from 'typebox';
import { AppError } from '../../domain/errors.ts';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantIdField, ourIdField, refusals } from '../shapes.ts';

const path = Type.Object({ id: merchantIdField, dispute_id: ourIdField("The dispute's id.") });
const body = Type.Object(
  { analytics_id: ourIdField("An analytics record of the merchant's.") },
  { additionalProperties: false, examples: [{ analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w' }] },
);
const shape = Type.Object(
  { id: ourIdField("The dispute's id."), analytics_id: ourIdField('Its match.') },
  {
    description: 'It is the match.',
    examples: [
      { id: 'dis_4c1vbz7p0x9k2m5n8q3r6t0w', analytics_id: 'ana_4c1vbz7p0x9k2m5n8q3r6t0w' },
    ],
  },
);

/** POST /api/merchants/{id}/disputes/{dispute_id}/match */
export const confirmMatch = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/disputes/{dispute_id}/match',
  needs: { role: 'disputes', reach: 'path' },
  docs: {
    id: 'confirmMatch',
    tag: 'Disputes',
    summary: 'Confirm the analytics record of a dispute',
    description: 'No rule overrides it; another choice replaces it.',
  },
  schema: { path, body },
  answers: { 200: shape, ...refusals(400, 404) },
  async answer({ path, body }, deps: Pick<OperatorDeps, 'confirmMatch'>) {
    const { id: merchantId, dispute_id: disputeId } = path;
    const { analytics_id: analyticsId } = body;
    const choice = { merchantId, disputeId, analyticsId, actor: 'operator' } as const;
    switch (await deps.confirmMatch(choice)) {
      case 'confirmed':
        return contentAnswer({ id: disputeId, analytics_id: analyticsId });
      case 'no_dispute':
        throw new AppError('not_found', 'The merchant has no dispute with this id.');
      case 'no_analytics':
        throw new AppError('not_found', 'The merchant has no analytics record with this id.');
    }
  },
});
