import { expect, it } from 'vitest';
import { disputeRatios } from '../../../src/disputes/dispute-ratios.ts';
import { fieldsOf, noDisputes, operatorKit } from '../../kits/operator-server.ts';

const now = () => new Date('2026-06-11T00:00:00Z');
const none = { settled: 0, settledBefore: 0, fraudReports: 0, disputes: 0 };
const counts = {
  merchantId: 'mer_1',
  visa: { ...none, settled: 10_000, fraudReports: 20, disputes: 30 },
  mastercard: { ...none, settledBefore: 4_000, disputes: 50 },
  unknownDisputes: 1,
  unknownSettled: 2,
};

function ratiosKit() {
  const months: unknown[] = [];
  const reports = {
    async countMonth(input: object) {
      months.push(input);
      return [counts];
    },
  };
  const disputes = {
    ...noDisputes,
    now,
    ratios: (input: Parameters<typeof noDisputes.ratios>[0]) =>
      disputeRatios({ reports }, { ...input, now: now() }),
  };
  return { ...operatorKit({ disputes }), months };
}

it('estimates the ratios of this month', async () => {
  const { ask, months } = ratiosKit();
  const { status, json } = await ask('GET', '/api/dispute-ratios');
  expect(status).toBe(200);
  expect(months).toEqual([
    {
      monthBefore: new Date('2026-05-01T00:00:00Z'),
      from: new Date('2026-06-01T00:00:00Z'),
      until: new Date('2026-07-01T00:00:00Z'),
    },
  ]);
  expect(json).toMatchObject({
    month: '2026-06',
    items: [
      {
        merchant_id: 'mer_1',
        visa: { settled: 10_000, fraud_reports: 20, disputes: 30 },
        unknown_disputes: 1,
        programmes: [
          { programme: 'visa_vamp', items: 50, out_of: 10_000, ratio_bps: 50 },
          {
            ...{ programme: 'mastercard_ecm', items: 50, out_of: 4_000, ratio_bps: 125 },
            ...{ limit_items: 100, limit_bps: 150, is_excessive: false, days_to_breach: 10 },
          },
          { programme: 'mastercard_hecm' },
        ],
      },
    ],
  });
});

it("takes the acquirer's figures for one merchant, and a month of January", async () => {
  const { ask, months } = ratiosKit();
  const query = 'merchant_id=mer_1&month=2026-01&visa_settled=500&mastercard_settled_before=2000';
  const { json } = await ask('GET', `/api/dispute-ratios?${query}`);
  expect(months).toMatchObject([
    { merchantId: 'mer_1', monthBefore: new Date('2025-12-01T00:00:00Z') },
  ]);
  expect(json.items[0].programmes).toMatchObject([
    { out_of: 500, ratio_bps: 1_000 },
    { out_of: 2_000, ratio_bps: 250 },
    { out_of: 2_000 },
  ]);
});

it('refuses a month that is none, and figures of nobody', async () => {
  const { ask } = ratiosKit();
  const wrong = await ask('GET', '/api/dispute-ratios?month=2026-13&visa_settled=0');
  expect([wrong.status, fieldsOf(wrong)]).toMatchObject([400, { length: 2 }]);
  expect((await ask('GET', '/api/dispute-ratios?visa_settled=5')).status).toBe(400);
});

it('shows what was recovered, net of disputes', async () => {
  const asked: unknown[] = [];
  const { ask } = operatorKit({
    disputes: {
      ...noDisputes,
      async netRecovery(input) {
        asked.push(input);
        const money = { recoveredMinor: 5_000, openMinor: 700, lostMinor: 1_100 };
        const counted = { recoveredCount: 5, openCount: 1, lostCount: 2 };
        return [{ merchantId: 'mer_1', currency: 'EUR', ...money, ...counted }];
      },
    },
  });
  const { json } = await ask('GET', '/api/recovery?merchant_id=mer_1&from=2026-06-01T00:00:00Z');
  expect(asked).toEqual([{ merchantId: 'mer_1', from: new Date('2026-06-01T00:00:00Z') }]);
  expect(json.items).toEqual([
    {
      ...{ merchant_id: 'mer_1', currency: 'EUR', recovered_count: 5, recovered_minor: 5_000 },
      ...{ open_count: 1, open_minor: 700, lost_count: 2, lost_minor: 1_100, net_minor: 3_900 },
    },
  ]);
});

it('takes a match that a person confirms', async () => {
  const asked: unknown[] = [];
  const { ask } = operatorKit({
    disputes: {
      ...noDisputes,
      async confirmMatch(input) {
        asked.push(input);
        if (input.disputeId !== 'dis_1') return 'no_dispute';
        return input.analyticsId === 'ana_1' ? 'confirmed' : 'no_analytics';
      },
    },
  });
  const post = (dispute: string, analytics_id: string) =>
    ask('POST', `/api/merchants/mer_1/disputes/${dispute}/match`, { analytics_id });
  expect(await post('dis_1', 'ana_1')).toMatchObject({
    status: 200,
    json: { id: 'dis_1', analytics_id: 'ana_1' },
  });
  expect(asked).toEqual([
    { merchantId: 'mer_1', disputeId: 'dis_1', analyticsId: 'ana_1', actor: 'operator' },
  ]);
  expect((await post('dis_2', 'ana_1')).status).toBe(404);
  expect((await post('dis_1', 'ana_2')).status).toBe(404);
});
