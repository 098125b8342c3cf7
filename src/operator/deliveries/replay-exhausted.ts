import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';

const replayBody = Type.Object(
  { since: timeField('Of events created at this time or later.') },
  { additionalProperties: false, examples: [{ since: '2026-03-01T00:00:00Z' }] },
);
const queuedShape = Type.Object(
  {
    queued: Type.Integer({ minimum: 0 }),
    begun_at: timeField("The service's time; what is left is counted of events created before it."),
  },
  {
    description: 'How many are sent again.',
    examples: [{ queued: 12, begun_at: '2026-03-09T09:30:00.000Z' }],
  },
);

/** POST /api/merchants/{id}/deliveries/replay */
export const replayExhausted = defineEndpoint({
  method: 'POST',
  path: '/api/merchants/{id}/deliveries/replay',
  needs: { role: 'operator', reach: 'path' },
  docs: {
    id: 'replayExhausted',
    tag: 'Deliveries',
    summary: 'Send again what was given up',
    description:
      'For a merchant whose server was down for longer than the 7 days. It goes on in the ' +
      'background, after a restart too. Asked again, it does nothing twice: what was queued is ' +
      'no longer given up. `GET` of the same address says what is left.',
  },
  schema: { path: merchantPath, body: replayBody },
  answers: { 202: queuedShape, ...refusals(400, 404) },
  async answer({ path, body }, deps: OperatorDeps) {
    const { merchantId } = await findMerchant(deps.db, path.id);
    const since = new Date(body.since);
    const { queued, begunAt } = await deps.api.replayExhausted({ merchantId, since });
    return contentAnswer({ queued, begun_at: begunAt.toISOString() }, 202);
  },
});
