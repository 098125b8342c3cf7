import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { isOnCitus } from '../../kits/cluster/empty-shards.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedMerchant } from '../reports/seed.ts';

it('the refusals within kept results of what-ifs are read by their new name, and nothing else changes', async ({
  skip,
}) => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  skip(await isOnCitus(db.pool), 'no release of that time had cells on Citus');
  await seedMerchant(db, 'mer_a');
  const refused = { kind: 'refused', reason: 'no_support' };
  const estimate = { kind: 'estimate', value: 0.25 };
  const before = [
    { nextTry: { ...refused, words: 'no tries' }, payment: { ...refused, words: 'no payments' } },
    { nextTry: { ...refused, words: 'no tries' }, payment: estimate },
    { nextTry: estimate, payment: { ...refused, words: '' } },
    { nextTry: estimate, payment: estimate, curve: [{ words: 'kept' }] },
  ];
  for (const [at, result] of before.entries()) {
    await db.pool.query(
      `insert into what_ifs (merchant_id, policy, window_days, max_attempts, what_if_id, fixed_days,
         state, message, result, requested_at, updated_at, completed_at)
       values ('mer_a', 'fixed', $1, 4, $2, '{1}', 'done', 'it ended', $3, $4, $4, $4)`,
      [at + 1, `wif_${at}`, result, minute(at)],
    );
  }
  await db.pool.query(`
    alter table trainings rename column message to words;
    alter table what_ifs rename column message to words;
    delete from migrations where name = '0042_messages.sql'`);
  const { connectionString } = db.pool.options;
  if (connectionString === undefined) throw new Error('a pool has an address');
  const { applied } = await migrate({ connectionString, clock: { now: () => minute(9) } });
  expect(applied).toEqual(['0042_messages.sql']);
  const { rows } = await db.pool.query('select message, result from what_ifs order by window_days');
  expect(rows.map(({ message }) => message)).toEqual(before.map(() => 'it ended'));
  expect(rows.map(({ result }) => result)).toEqual([
    {
      nextTry: { ...refused, message: 'no tries' },
      payment: { ...refused, message: 'no payments' },
    },
    { nextTry: { ...refused, message: 'no tries' }, payment: estimate },
    { nextTry: estimate, payment: { ...refused, message: '' } },
    before[3],
  ]);
});
