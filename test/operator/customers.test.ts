import { expect, it } from 'vitest';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

const customer_id = 'cus/1';

it("shows a customer's payments, methods, attempts and disputes, of that merchant alone", async () => {
  const { ask, db, merchant } = await operatorService();
  const [own, other] = [await merchant(), await merchant()];
  await seedPayment(db, { merchantId: own, invoiceId: 'in_1', customer_id, amount_minor: 4_200 });
  await seedPayment(db, {
    merchantId: own,
    invoiceId: 'in_2',
    customer_id,
    amount_minor: 1_000,
    state: 'recovered',
    original_psp_transaction_id: 'ch_2',
  });
  await seedAttempt(db, { merchantId: own, invoiceId: 'in_2', number: 1, state: 'succeeded' });
  await seedPayment(db, { merchantId: other, invoiceId: 'in_3', customer_id });
  await seedPayment(db, { merchantId: own, invoiceId: 'in_4', customer_id: 'cus_2' });
  await db.pool.query(
    `insert into payment_methods (merchant_id, payment_method_id, customer_id, state, scheme,
       last_reason, signalled_at, created_at, updated_at)
     values ($1, 'pm_1', $2, 'removed', 'visa', 'user_removed', $3, $3, $3)`,
    [own, customer_id, minute(5)],
  );
  await db.pool.query(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, opened_at, payment_ids, amount_minor, currency, created_at, updated_at)
     values ($1, 'dis_1', 'sandbox', 'dp_1', 'psp', 'dispute', 'chargeback', 'lost', $2, $2, $2,
       '{ch_2}', 1000, 'EUR', $2, $2)`,
    [own, minute(60)],
  );
  const { status, json } = await ask('GET', `/api/merchants/${own}/customers/cus%2F1`);
  expect(status).toBe(200);
  expect(json).toMatchObject({
    merchant_id: own,
    customer_id,
    totals: [
      { currency: 'EUR', payments: 2, failed_amount: 52, recovered_amount: 10, open_amount: 42 },
    ],
    methods: [
      {
        payment_method_id: 'pm_1',
        scheme: 'visa',
        removed: true,
        last_change: { reason: 'user_removed', at: minute(5).toISOString() },
      },
    ],
    attempts: [{ invoice_id: 'in_2', number: 1, state: 'succeeded', amount: 10 }],
    disputes: [
      { id: 'dis_1', psp_dispute_id: 'dp_1', state: 'lost', invoice_id: 'in_2', amount: 10 },
    ],
  });
  const invoices = json.payments.map((row: { invoice_id: string }) => row.invoice_id).toSorted();
  expect(invoices).toEqual(['in_1', 'in_2']);
});

it('gives as recovered what was charged, which may be less than had failed', async () => {
  const { ask, db, merchant } = await operatorService();
  const merchantId = await merchant();
  const less = { merchantId, invoiceId: 'in_less' };
  await seedPayment(db, { ...less, customer_id, amount_minor: 3_050, state: 'recovered' });
  await seedAttempt(db, { ...less, number: 1, state: 'declined' });
  await seedAttempt(db, { ...less, number: 2, state: 'succeeded' });
  const { json } = await ask('GET', `/api/merchants/${merchantId}/customers/cus%2F1`);
  expect(json.totals).toEqual([
    { currency: 'EUR', payments: 1, failed_amount: 30.5, recovered_amount: 10, open_amount: 0 },
  ]);
});

it('knows a customer whose one recovery was joined to that of another, though the debt counts there', async () => {
  const { ask, db, merchant } = await operatorService();
  const merchantId = await merchant();
  await seedPayment(db, { merchantId, invoiceId: 'in_goes_on', customer_id: 'cus_2' });
  await seedPayment(db, {
    merchantId,
    invoiceId: 'in_joined',
    customer_id,
    joined_to: 'in_goes_on',
    state: 'stopped',
    stop_reason: 'joined',
    next_attempt_at: null,
    due_action: null,
  });
  const { status, json } = await ask('GET', `/api/merchants/${merchantId}/customers/cus%2F1`);
  expect([status, json.totals]).toEqual([200, []]);
  expect(json.payments).toMatchObject([{ invoice_id: 'in_joined' }]);
});

it('knows nobody without a payment', async () => {
  const { ask, merchant } = await operatorService();
  const reply = await ask('GET', `/api/merchants/${await merchant()}/customers/cus_9`);
  expect(reply.status).toBe(404);
  expect(reply.json.error.message).toContain('no payment from this customer');
});
