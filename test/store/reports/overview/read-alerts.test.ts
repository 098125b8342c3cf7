import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Alert } from '../../../../src/recovery/alerts/alert.ts';
import type { Database } from '../../../../src/store/database.ts';
import { readAlerts } from '../../../../src/store/reports/overview/read-alerts.ts';
import { openReportDatabase } from '../report-database.ts';
import { seedAttempt, seedMerchant, seedPayment } from '../seed.ts';

const merchantId = 'mer_a';
const invoiceId = 'in_1';
const startedAt = new Date('2026-06-01T10:00:00.000Z');
let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, merchantId);
  await seedPayment(db, { merchantId, invoiceId });
  for (const number of [1, 2]) {
    const sequence = number;
    const attempt = { merchantId, invoiceId, number, sequence, state: 'declined' } as const;
    await seedAttempt(db, { ...attempt, delivery: 'pending' });
  }
});
afterAll(() => db.close());

const alertsOf = async (wanted: Alert['kind']) =>
  (await readAlerts(db, { merchantIds: [merchantId], now: startedAt })).filter(
    ({ kind }) => kind === wanted,
  );
const endpointAlerts = () => alertsOf('endpoint_failing');

it('an endpoint fails from the first send that it did not take, and not from what is to be sent again', async () => {
  const tried = { name: 'tried', text: 'update deliveries set tries = 1, window_started_at = $1' };
  await db.query(tried, [startedAt]);
  expect(await endpointAlerts()).toEqual([
    expect.objectContaining({ merchantId, count: 2, at: startedAt }),
  ]);
  // As asking for a delivery again leaves it.
  await db.query(tried, [null]);
  expect(await endpointAlerts()).toEqual([]);
});

it('webhooks are given up by further endpoints too, as long as those are there', async () => {
  expect(await alertsOf('webhooks_given_up')).toEqual([]);
  await db.pool.query(
    `insert into endpoints (merchant_id, endpoint_id, url, event_types, quick_sends, auth_type,
       header_names, created_at, updated_at)
     values ($1, 'ept_1', 'https://one.example', '{incident}', false, 'none', '{}', $2, $2)`,
    [merchantId, startedAt],
  );
  await db.pool.query(
    `insert into endpoint_deliveries (merchant_id, event_id, endpoint_id, state, tries, created_at)
     select merchant_id, event_id, 'ept_1', 'exhausted', 15, $1 from deliveries limit 1`,
    [startedAt],
  );
  expect(await alertsOf('webhooks_given_up')).toEqual([
    expect.objectContaining({ merchantId, count: 1, at: startedAt }),
  ]);
  await db.pool.query('update endpoints set removed_at = $1', [startedAt]);
  expect(await alertsOf('webhooks_given_up')).toEqual([]);
});
