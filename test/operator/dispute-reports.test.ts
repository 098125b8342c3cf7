import { expect, it } from 'vitest';
import { disputeOf } from '../kits/dispute-cases.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A merchant that was paid once in March, and whose customer disputes it. */
async function withDispute() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  await seedPayment(service.db, { merchantId, invoiceId: 'in_1', state: 'recovered' });
  await seedAttempt(service.db, { merchantId, invoiceId: 'in_1', number: 1, state: 'succeeded' });
  const dispute = disputeOf({
    paymentIds: ['ch_att_in_1_1'],
    openedAt: minute(60),
    money: { amountMinor: 700, currency: 'EUR' },
  });
  const occurredAt = minute(60);
  await service.ingestDispute({ merchantId, psp: 'sandbox', dispute, occurredAt });
  service.clock.at = new Date('2026-03-11T00:00:00Z');
  return { ...service, merchantId };
}

it('estimates the ratios of this month', async () => {
  const { ask, merchantId } = await withDispute();
  const { status, json } = await ask('GET', '/api/dispute-ratios');
  expect([status, json]).toMatchObject([
    200,
    {
      month: '2026-03',
      items: [
        {
          merchant_id: merchantId,
          visa: { settled: 0, fraud_reports: 0, disputes: 1 },
          unknown_disputes: 0,
          unknown_settled: 1,
          programmes: [
            { programme: 'visa_vamp', items: 1, out_of: 0 },
            { programme: 'mastercard_ecm', items: 0, is_excessive: false },
            { programme: 'mastercard_hecm' },
          ],
        },
      ],
    },
  ]);
  const before = await ask('GET', '/api/dispute-ratios?month=2026-01&merchant_id=mer_none');
  const asOf = '2026-03-11T00:00:00.000Z';
  expect(before.json).toEqual({ month: '2026-01', as_of: asOf, items: [] });
});

it("takes the acquirer's figures for one merchant", async () => {
  const { ask, merchantId } = await withDispute();
  const stated = 'visa_settled=500&mastercard_settled_before=2000';
  const { json } = await ask('GET', `/api/dispute-ratios?merchant_id=${merchantId}&${stated}`);
  expect(json.items[0].programmes).toMatchObject([
    { out_of: 500, ratio_bps: 20 },
    { out_of: 2_000, ratio_bps: 0 },
    { out_of: 2_000 },
  ]);
});

it('refuses a month that is none, and figures of nobody', async () => {
  const { ask } = operatorKit();
  const wrong = await ask('GET', '/api/dispute-ratios?month=2026-13&visa_settled=0');
  expect([wrong.status, fieldsOf(wrong)]).toMatchObject([400, { length: 2 }]);
  const nobodys = await ask('GET', '/api/dispute-ratios?visa_settled=5');
  expect([nobodys.status, fieldsOf(nobodys)]).toEqual([
    400,
    ["merchant_id: Needed with the acquirer's figures, which belong to one merchant"],
  ]);
});

it('shows what was recovered, net of disputes', async () => {
  const { ask, merchantId } = await withDispute();
  const { json } = await ask('GET', `/api/recovery?merchant_id=${merchantId}`);
  expect(json.items).toEqual([
    {
      ...{ merchant_id: merchantId, currency: 'EUR', recovered_count: 1, recovered_minor: 1_000 },
      ...{ open_count: 1, open_minor: 700, lost_count: 0, lost_minor: 0, net_minor: 1_000 },
    },
  ]);
  const later = await ask('GET', '/api/recovery?from=2026-04-01T00:00:00Z');
  expect(later.json).toEqual({ items: [] });
});

it('shows how disputes ended, and the share that was won once any is decided', async () => {
  const { ask, merchantId, db } = await withDispute();
  const path = `/api/dispute-outcomes?merchant_id=${merchantId}`;
  const { status, json } = await ask('GET', path);
  expect([status, json.items]).toMatchObject([200, [{ disputes: 1, open: 1, won: 0 }]]);
  expect(json.items[0]).not.toHaveProperty('win_rate');
  await db.pool.query("update disputes set status = 'won'");
  const decided = await ask('GET', path);
  const won = { disputes: 1, open: 0, won: 1, win_rate: 1, win_rate_low: 0.025, win_rate_high: 1 };
  expect(decided.json).toMatchObject({
    least_decided: 10,
    items: [{ merchant_id: merchantId, ...won }],
    whole: won,
    networks: [won],
    reasons: [won],
  });
  const none = await ask('GET', `${path}&from=2030-01-01T00:00:00Z`);
  expect(none.json).toMatchObject({ items: [], networks: [], reasons: [], whole: { disputes: 0 } });
});
