import { expect, it, onTestFinished } from 'vitest';
import { readRetryMap } from '../../../../src/store/reports/overview/read-retry-map.ts';
import { openReportDatabase } from '../report-database.ts';
import { seedMerchant } from '../seed.ts';

it('has every day since the failure, and of codes and cards the most frequent ones', async () => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  await seedMerchant(db, 'mer_a');
  // The longest window has days 0 to 60; the later, the fewer tries.
  await db.pool.query(`
    insert into charge_cause_rollups (merchant_id, day, dimension, bucket, tries, successes)
    select 'mer_a', '2026-03-01', dimension, n::text, 100 - n, 1
    from generate_series(0, 60) n, unnest(array['days_since_failure', 'decline_code', 'bin']) dimension`);
  const { daysSinceFailure, declineCodes, bins } = await readRetryMap(db, {});
  const all = Array.from({ length: 61 }, (_, n) => n.toString());
  expect(daysSinceFailure.map(({ bucket }) => bucket)).toEqual(all);
  expect(declineCodes.map(({ bucket }) => bucket)).toEqual(all.slice(0, 40));
  expect(bins).toHaveLength(40);
});
