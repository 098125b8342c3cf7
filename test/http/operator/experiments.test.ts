import { expect, it } from 'vitest';
import type { ExperimentView } from '../../../src/recovery/reports/experiments.ts';
import { operatorKit } from '../../kits/operator-server.ts';

const at = new Date('2026-03-02T00:00:00.000Z');
const experiment: ExperimentView = {
  merchantId: 'mer_1',
  name: 'Acme',
  policySince: at,
  from: at,
  windowDays: 28,
  maxAttempts: 8,
  fixedDays: [3, 7],
  learnedShare: 0.1,
  learnedReason: 'On trial.',
  holdoutShare: 0.1,
  exploreShare: 0.07,
  modelId: 'mod_1',
  isOwnModel: true,
  fallback: { words: 'it has drifted', since: at },
  arms: [
    {
      arm: 'holdout',
      share: 0.1,
      payments: 40,
      recovered: 20,
      recoveredRate: { value: 0.5, low: 0.4, high: 0.6 },
      tries: 0,
      succeeded: 0,
    },
  ],
};

it('gives each arm with its share, n and interval, and why fixed days are used', async () => {
  const { ask, api } = operatorKit();
  api.experiments = [experiment];
  const reply = await ask('GET', '/api/experiments?since=2026-03-01T00:00:00Z');
  expect(reply.status).toBe(200);
  expect(reply.json.experiments).toEqual([
    {
      merchant_id: 'mer_1',
      merchant_name: 'Acme',
      since: at.toISOString(),
      figures_from: at.toISOString(),
      window_days: 28,
      max_attempts: 8,
      fixed_days: [3, 7],
      learned_share: 0.1,
      learned_reason: 'On trial.',
      assignment: expect.stringMatching(/^By a hash of the invoice’s id/),
      model_id: 'mod_1',
      own_model: true,
      fallback: { reason: 'it has drifted', since: at.toISOString() },
      arms: [
        {
          arm: 'holdout',
          share: 0.1,
          payments: 40,
          recovered: 20,
          recovered_rate: { value: 0.5, low: 0.4, high: 0.6 },
          tries: 0,
          succeeded: 0,
        },
      ],
    },
  ]);
  expect(api.calls.at(-1)?.input).toEqual({ since: new Date('2026-03-01T00:00:00Z') });
});

it('refuses a merchant that is not there, and a time that is none', async () => {
  const { ask } = operatorKit();
  expect((await ask('GET', '/api/experiments?merchant_id=mer_9')).status).toBe(404);
  expect((await ask('GET', '/api/experiments?since=soon')).status).toBe(400);
});
