import { afterAll, beforeAll, expect, test } from 'vitest';
import { appendAudit } from '../../../src/store/admin/audit-log.ts';
import type { Database } from '../../../src/store/database.ts';
import { readEndpointHealth } from '../../../src/store/reports/endpoint-health.ts';
import { findOperatorDelivery } from '../../../src/store/reports/operator-deliveries.ts';
import { listOperatorPayments } from '../../../src/store/reports/operator-payments.ts';
import { readPaymentStory } from '../../../src/store/reports/payment-story.ts';
import { readChanges } from '../../../src/store/reports/read-changes.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedReport, seedTry } from './seed.ts';

let db: Database;
const key = { merchantId: 'mer_a', invoiceId: 'in_1' };

beforeAll(async () => {
  db = await openReportDatabase();
  await seedMerchant(db, 'mer_a');
  await seedMerchant(db, 'mer_b');
  await seedPayment(db, {
    ...key,
    customer_id: 'cus_1',
    first_decline: { category: 'later', code: '51' },
  });
  await seedPayment(db, { merchantId: 'mer_a', invoiceId: 'in_2', updated_at: minute(9) });
  await seedAttempt(db, { ...key, number: 1, state: 'declined', sequence: 1, delivery: 'pending' });
  await seedAttempt(db, { ...key, number: 2, state: 'succeeded', sequence: 2 });
  await seedTry(db, { merchantId: 'mer_a', eventId: 'evt_att_in_1_1', number: 2, at: minute(700) });
  await seedReport(db, {
    ...key,
    customerId: 'cus_1',
    pspCustomerId: 'psp_cus_1',
    subscriptionId: 'sub_1',
    transactionId: 'tra_2',
    pspTransactionId: 'ch_other',
    success: true,
  });
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme, bin,
       created_at, updated_at, signalled_at, last_reason)
     values ('mer_a', 'pm_1', 'cus_1', 'active', 'visa', '424242', $1, $1, $2, 'network_updated'),
            ('mer_a', 'pm_of_another', 'cus_2', 'active', 'visa', '424242', $1, $1, $2, 'user_added')`,
    [minute(0), minute(5)],
  );
  // One that is kept for good, and one in a month's table.
  await db.pool.query(
    `insert into psp_events (merchant_id, psp, event_id, type, kind, outcome, invoice_id, occurred_at, received_at)
     values ('mer_a', 'stripe', 'evt_late', 'x', 'charge_settled', 'contradiction', 'in_1', $1, $1)`,
    [minute(60)],
  );
  await db.pool.query(
    `insert into psp_event_notes (merchant_id, psp, event_id, month, type, kind, outcome, invoice_id, occurred_at, received_at)
     values ('mer_a', 'stripe', 'evt_early', '2026-03-01', 'x', 'invoice_closed', 'recovery_stopped', 'in_1', $1, $1)`,
    [minute(55)],
  );
  await appendAudit(db, 'mer_a', {
    action: 'payment.stopped',
    detail: { invoice_id: 'in_1', reason: 'asked to' },
    at: minute(50),
  });
});
afterAll(() => db.close());

test('gathers what names the invoice, and nothing else', async () => {
  const story = await readPaymentStory(db, key);
  expect(story).toMatchObject({
    firstDecline: { category: 'later', code: '51' },
    firstMethodId: 'pm_1',
    methods: [
      {
        paymentMethodId: 'pm_1',
        scheme: 'visa',
        bin: '424242',
        signal: { reason: 'network_updated', at: minute(5) },
      },
    ],
    reports: [{ pspTransactionId: 'ch_other', success: true }],
    actions: [{ action: 'payment.stopped', detail: { reason: 'asked to' } }],
  });
  expect(story?.pspEvents.map(({ eventId }) => eventId)).toEqual(['evt_early', 'evt_late']);
  expect(story?.sends.map(({ eventId, number }) => [eventId, number])).toEqual([
    ['evt_att_in_1_1', 1],
    ['evt_att_in_1_2', 1],
    ['evt_att_in_1_1', 2],
  ]);
  expect(await readPaymentStory(db, { merchantId: 'mer_b', invoiceId: 'in_1' })).toBeUndefined();
});

test.each(['att_in_1_1', 'evt_att_in_1_2', 'pm_1'])('a payment is found by %s', async (search) => {
  const { items } = await listOperatorPayments(db, { search, limit: 10 });
  expect(items.map(({ invoiceId }) => invoiceId)).toContain('in_1');
});

test('an event is shown with its text and its sends', async () => {
  const found = await findOperatorDelivery(db, { merchantId: 'mer_a', eventId: 'evt_att_in_1_1' });
  expect(found?.body).toBe('{"amount_collected":10,"currency":"EUR","success":false}');
  expect(found?.delivery.log.map(({ number }) => number)).toEqual([1, 2]);
  const other = { merchantId: 'mer_b', eventId: 'evt_att_in_1_1' };
  expect(await findOperatorDelivery(db, other)).toBeUndefined();
});

test('an endpoint fails while something waits that was sent, and one without sends is idle', async () => {
  expect(await readEndpointHealth(db, { now: minute(800) })).toMatchObject([
    {
      merchantId: 'mer_a',
      state: 'failing',
      waiting: 1,
      failingSince: minute(1),
      lastError: 'server_error: 500',
      exhausted: 0,
      lastDeliveredAt: minute(2),
      durationMs: { median: 12, p95: 12 },
    },
    { merchantId: 'mer_b', state: 'idle', waiting: 0 },
  ]);
});

test('changes are read from a time on, the oldest first', async () => {
  const changes = await readChanges(db, { since: minute(1), limit: 10 });
  expect(changes.map(({ invoiceId, at }) => [invoiceId, at])).toEqual([
    ['in_1', minute(1)],
    ['in_2', minute(9)],
  ]);
  expect(await readChanges(db, { since: minute(2), limit: 10 })).toHaveLength(1);
});
