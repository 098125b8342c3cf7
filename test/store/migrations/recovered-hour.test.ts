import { expect, it, onTestFinished } from 'vitest';
import { migrate } from '../../../src/store/migrate.ts';
import { rollUpPayments } from '../../../src/store/rollups/roll-up.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../reports/seed.ts';

it('money that an incident moved to another hour is put back to that of its charge', async () => {
  const db = await openReportDatabase();
  onTestFinished(() => db.close());
  await seedMerchant(db, 'mer_a');
  // One charged in the hour to which an incident moved the money of the other.
  for (const [invoiceId, at] of [
    ['in_moved', 70],
    ['in_there', 3_005],
  ] as const) {
    const key = { merchantId: 'mer_a', invoiceId };
    await seedPayment(db, { ...key, state: 'recovered', updated_at: minute(at) });
    await seedAttempt(db, { ...key, number: at, state: 'succeeded' });
  }
  while ((await rollUpPayments(db, { at: minute(4_000), limit: 10 })) > 0);
  const kept = async (table: string) =>
    (await db.pool.query(`select * from ${table} where payments <> 0 order by hour`)).rows;
  const before = await kept('recovered_rollups');
  expect(before.map(({ hour, payments }) => [hour, payments])).toEqual([
    [minute(60), 1],
    [minute(3_000), 1],
  ]);
  // As the release before had counted it once the incident was opened.
  await db.pool.query(
    `insert into incidents (merchant_id, incident_id, kind, subject, invoice_id, psp, charge, detail, opened_at)
     select 'mer_a', 'inc_' || n, 'contradiction', 's' || n, 'in_moved', 'sandbox', 'k', 'd', $1
     from generate_series(1, 2) n`,
    [minute(3_010)],
  );
  await db.pool.query(`
    update rolled_up_payments set recovered_hour = '${minute(3_000).toISOString()}';
    update recovered_rollups set payments = 2, amount_minor = 2 * amount_minor
      where hour = '${minute(3_000).toISOString()}';
    update recovered_rollups set payments = 0, amount_minor = 0
      where hour = '${minute(60).toISOString()}';
    delete from migrations where name = '0211_recovered_at_their_charge.sql'`);
  const { connectionString } = db.pool.options;
  if (connectionString === undefined) throw new Error('a pool has an address');
  const { applied } = await migrate({ connectionString, clock: { now: () => minute(5_000) } });
  expect(applied).toEqual(['0211_recovered_at_their_charge.sql']);
  expect(await kept('recovered_rollups')).toEqual(before);
  const { rows } = await db.pool.query(
    'select recovered_hour from rolled_up_payments order by invoice_id',
  );
  expect(rows.map((row) => row.recovered_hour)).toEqual([minute(60), minute(3_000)]);
});
