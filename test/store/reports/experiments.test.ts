import { afterAll, beforeAll, expect, it } from 'vitest';
import { updateMerchant } from '../../../src/store/admin/merchants.ts';
import type { Database } from '../../../src/store/database.ts';
import { createTakeOverStore } from '../../../src/store/learned/take-over-store.ts';
import { listLearnedMerchants, sumArms } from '../../../src/store/reports/experiments.ts';
import { rollUpUplift } from '../../../src/store/rollups/roll-up.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from './seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
});
afterAll(() => db.close());

const policy = { kind: 'learned', windowDays: 28, maxAttempts: 8, fixedDays: [1] } as const;

it('lists merchants on the learned policy, and since when it is as it is', async () => {
  await updateMerchant(db, { merchantId: 'mer_a', change: { policy }, at: minute(5) });
  await updateMerchant(db, { merchantId: 'mer_a', change: { name: 'Acme' }, at: minute(6) });
  await updateMerchant(db, { merchantId: 'mer_a', change: { policy }, at: minute(7) });
  expect(await listLearnedMerchants(db, {})).toEqual([
    {
      merchantId: 'mer_a',
      name: 'Acme',
      windowDays: 28,
      maxAttempts: 8,
      fixedDays: [1],
      learnedShare: 0,
      learnedReason: '',
      segments: [],
      policySince: minute(5),
    },
  ]);
  const changed = { policy: { ...policy, holdoutShare: 0.2 } };
  await updateMerchant(db, { merchantId: 'mer_a', change: changed, at: minute(8) });
  expect(await listLearnedMerchants(db, { merchantIds: ['mer_a', 'mer_b'] })).toMatchObject([
    { holdoutShare: 0.2, policySince: minute(8) },
  ]);
  expect(await listLearnedMerchants(db, { merchantIds: ['mer_b'] })).toEqual([]);
});

it('lists products with a share of their own, unless the merchant’s is set by hand', async () => {
  const steps = createTakeOverStore(db);
  const step = { merchantId: 'mer_a', segment: 'annual', message: 'why', failedTrials: 0 };
  await steps.keepSegment({ ...step, to: 0.1, at: minute(20) });
  const [shown] = await listLearnedMerchants(db, {});
  expect(shown?.segments).toEqual([
    { segment: 'annual', learnedShare: 0.1, learnedReason: 'why', since: minute(20) },
  ]);
  const byHand = { policy: { ...policy, learnedShare: 0.4 } };
  await updateMerchant(db, { merchantId: 'mer_a', change: byHand, at: minute(21) });
  expect((await listLearnedMerchants(db, {}))[0]?.segments).toEqual([]);
});

it('sums payments by their arm, and tries by the arm of their own decision', async () => {
  const payment = async (invoiceId: string, arms: readonly string[], failedAt = minute(10)) => {
    const key = { merchantId: 'mer_a', invoiceId };
    const decision = { arm: arms.at(-1) };
    const columns = { customer_id: 'cus_1', failed_at: failedAt, decision };
    await seedPayment(db, { ...key, ...columns, state: 'recovered' });
    for (const [at, arm] of arms.entries()) {
      const state = at === arms.length - 1 ? 'succeeded' : 'declined';
      await seedAttempt(db, { ...key, number: at + 1, state });
      await db.pool.query(`update attempts set decision = $2 where attempt_id = $1`, [
        `att_${invoiceId}_${at + 1}`,
        { arm },
      ]);
    }
  };
  await payment('in_1', ['explore', 'learned']);
  await payment('in_2', ['holdout']);
  await payment('in_3', ['holdout'], minute(1));
  while ((await rollUpUplift(db, { at: minute(30_000), limit: 10 })) > 0);
  const group = expect.any(Number);
  expect(await sumArms(db, [{ merchantId: 'mer_a', from: minute(9) }])).toEqual([
    {
      merchantId: 'mer_a',
      arm: 'explore',
      group,
      payments: 0,
      recovered: 0,
      tries: 1,
      succeeded: 0,
    },
    {
      merchantId: 'mer_a',
      arm: 'holdout',
      group,
      payments: 1,
      recovered: 1,
      tries: 1,
      succeeded: 1,
    },
    {
      merchantId: 'mer_a',
      arm: 'learned',
      group,
      payments: 1,
      recovered: 1,
      tries: 1,
      succeeded: 1,
    },
  ]);
  expect(await sumArms(db, [{ merchantId: 'mer_b', from: minute(0) }])).toEqual([]);
});
