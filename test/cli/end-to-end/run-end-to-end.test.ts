import { expect, it, onTestFinished } from 'vitest';
import { runEndToEnd } from '../../../src/cli/end-to-end/run-end-to-end.ts';
import { priorModel } from '../../../src/policy/learned/prior-model.ts';
import { createTestDatabase } from '../../kits/database.ts';

it('the whole service plays a simulated world, both arms of it, and keeps its promises', async () => {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const result = await runEndToEnd({
    seed: 2,
    failures: 40,
    days: 1.5,
    tailDays: 1,
    windowDays: 14,
    maxAttempts: 4,
    fixedDays: [1, 2],
    holdoutShare: 0.5,
    exploreShare: 0.1,
    learnedShare: 1,
    settings: {
      DATABASE_URL: database.connectionString,
      ENCRYPTION_KEY: '00'.repeat(32),
      OPERATOR_TOKEN: 'operator-token-of-a-simulated-world-0123',
    },
  });
  expect(result.breaches).toBe(0);
  expect(result.learned.payments + result.holdout.payments).toBe(40);
  expect(Math.min(result.learned.payments, result.holdout.payments)).toBeGreaterThan(5);
  expect(result.holdout.tries).toBeGreaterThan(0);
  expect(result.learned.recovered + result.holdout.recovered).toBeGreaterThan(0);
  const [all] = result.uplift.parts.filter(({ dimension }) => dimension === 'all');
  const arms = Object.fromEntries(all?.arms.map(({ arm, payments }) => [arm, payments]) ?? []);
  expect(arms.holdout).toBe(result.holdout.payments);
  // The first night has come, with too few tries for a model of its own.
  expect(result.models.map(({ id, status }) => [id, status])).toEqual([
    [priorModel.version, 'active'],
  ]);
}, 60_000);
