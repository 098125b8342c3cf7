import { Type } from 'typebox';
import { defineEndpoint } from '../../http/endpoint/define-endpoint.ts';
import { timeField } from '../../http/fields.ts';
import { contentAnswer } from '../../http/server/answer.ts';
import { countExhausted as countLeft } from '../../store/reports/replay-exhausted.ts';
import { findMerchant } from '../merchants/find-merchant.ts';
import type { OperatorDeps } from '../operator-deps.ts';
import { merchantPath, refusals } from '../shapes.ts';

const query = Type.Object(
  {
    since: Type.String({
      ...timeField('Of events created at this time or later.'),
      examples: ['2026-03-01T00:00:00Z'],
    }),
    until: Type.Optional(
      Type.String({
        ...timeField('And before this one, such as the `begun_at` of a replay.'),
        examples: ['2026-03-09T09:30:00.000Z'],
      }),
    ),
  },
  { additionalProperties: false },
);

const countShape = Type.Object(
  {
    exhausted: Type.Integer({
      minimum: 0,
      description: 'Given up; a replay sends them again.',
    }),
    waiting: Type.Integer({ minimum: 0, description: 'Queued, and not sent since.' }),
    failing: Type.Integer({
      minimum: 0,
      description: 'Sent, not accepted, and sent again within the 7 days.',
    }),
  },
  {
    description:
      'What is not delivered. A replay is done when nothing is `exhausted` or `waiting`.',
    examples: [{ exhausted: 12, waiting: 3, failing: 0 }],
  },
);

/** GET /api/merchants/{id}/deliveries/replay */
export const countExhausted = defineEndpoint({
  method: 'GET',
  path: '/api/merchants/{id}/deliveries/replay',
  needs: { role: 'viewer', reach: 'path' },
  docs: {
    id: 'countExhausted',
    tag: 'Deliveries',
    summary: 'Count what a replay would send again',
    description: 'Before a replay what it will do; during one what is left to do.',
  },
  schema: { path: merchantPath, query },
  answers: { 200: countShape, ...refusals(400, 404) },
  async answer({ path, query }, { db }: Pick<OperatorDeps, 'db'>) {
    const { merchantId } = await findMerchant(db, path.id);
    const { since, until } = query;
    return contentAnswer(
      await countLeft(db, {
        merchantId,
        since: new Date(since),
        ...(until !== undefined && { until: new Date(until) }),
      }),
    );
  },
});
