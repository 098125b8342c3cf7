import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { readAsOf } from '../../../src/store/reports/overview/read-progress.ts';
import { sumUplift } from '../../../src/store/reports/uplift.ts';
import { rollUpUplift } from '../../../src/store/rollups/roll-up.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

it('payments that were counted by their last arm are counted again, the old sums being there meanwhile', async () => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  await seedMerchant(db, 'mer_a');
  const key = { merchantId: 'mer_a', invoiceId: 'in_1' };
  await seedPayment(db, { ...key, state: 'exhausted', decision: { arm: 'learned' } });
  await seedAttempt(db, { ...key, number: 1, state: 'declined' });
  await db.pool.query(`update attempts set decision = '{"arm": "holdout"}'`);
  const rollUp = async (at: Date) => {
    while ((await rollUpUplift(db, { at, limit: 1 })) > 0);
  };
  await rollUp(minute(50_000));
  // As the release before had counted it.
  await db.pool.query(`
    update uplift_payments set arm = 'learned';
    update uplift_sums set arm = 'learned';
    delete from migrations where name = '0210_payments_of_first_arm.sql'`);
  const { connectionString } = db.pool.options;
  if (connectionString === undefined) throw new Error('a pool has an address');
  const { applied } = await migrate({ connectionString, clock: { now: () => minute(50_001) } });
  expect(applied).toEqual(['0210_payments_of_first_arm.sql']);
  const arms = async () =>
    (await sumUplift(db, {}))
      .filter(({ dimension, isCompared }) => dimension === 'all' && !isCompared)
      .filter(({ payments }) => payments > 0)
      .map(({ arm, payments }) => [arm, payments]);
  expect(await arms()).toEqual([['learned', 1]]);
  expect(await readAsOf(db, 'uplift')).toEqual(minute(50_000));
  await rollUp(minute(60_000));
  expect(await arms()).toEqual([['holdout', 1]]);
  await rollUp(minute(60_000));
  expect(await readAsOf(db, 'uplift')).toEqual(minute(60_000));
});
