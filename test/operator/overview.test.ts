import { expect, it } from 'vitest';
import type { Overview } from '../../src/recovery/reports/overview.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';

const sum = (payments: number, amountMinor: number) => ({ payments, amountMinor });
const cohort = {
  ...sum(3, 4_200),
  attempts: 5,
  outcomes: {
    open: sum(1, 1_000),
    recovered: sum(1, 2_200),
    stopped: sum(0, 0),
    exhausted: sum(1, 1_000),
  },
};
const at = new Date('2026-03-01T09:00:00.000Z');

const overview: Overview = {
  asOf: at,
  seriesStep: 'hour',
  currencies: [
    {
      currency: 'EUR',
      recovered: sum(1, 2_200),
      atRisk: sum(1, 1_000),
      cohort,
      funnel: [{ category: 'later', ...cohort }],
      series: [{ at, ...sum(1, 2_200), holdout: sum(0, 0) }],
    },
  ],
  planned: [{ at, category: 'later', attempts: 2 }],
  networkPressure: { asOf: at, networks: [{ network: 'visa', near: 3, spent: 1 }] },
  alerts: [
    { kind: 'unknown_outcomes', count: 2, needPerson: 1, since: at },
    { kind: 'cards_near_limit', network: 'visa', near: 3, spent: 1, countedAt: at },
    { kind: 'model_drifted', modelId: 'mod_1', merchants: 2, words: 'less came', activatedAt: at },
    { kind: 'disputes_due', count: 1, next: at },
  ],
};

it('gives the overview of a merchant and a time, in major units', async () => {
  const kit = operatorKit();
  kit.api.showOverview = async (input) => {
    kit.api.calls.push({ name: 'showOverview', input });
    return overview;
  };
  const reply = await kit.ask(
    'GET',
    '/api/overview?merchant_id=mer_1&from=2026-02-01T00:00:00Z&to=2026-03-01T00:00:00Z',
  );
  expect(kit.api.calls).toEqual([
    {
      name: 'showOverview',
      input: {
        merchantId: 'mer_1',
        from: new Date('2026-02-01T00:00:00Z'),
        to: new Date('2026-03-01T00:00:00Z'),
      },
    },
  ]);
  expect(reply.json.currencies[0]).toMatchObject({
    currency: 'EUR',
    recovered: { payments: 1, amount: 22 },
    at_risk: { payments: 1, amount: 10 },
    cohort: { payments: 3, amount: 42, attempts: 5, exhausted: { payments: 1, amount: 10 } },
  });
  expect(reply.json.currencies[0]).not.toHaveProperty('experiment');
  expect(reply.json.network_pressure).toEqual({
    as_of: at.toISOString(),
    networks: [{ network: 'visa', near: 3, spent: 1 }],
  });
  expect(reply.json.alerts).toEqual([
    { kind: 'unknown_outcomes', count: 2, need_person: 1, at: '2026-03-01T09:00:00.000Z' },
    { kind: 'cards_near_limit', count: 3, spent: 1, network: 'visa', at: at.toISOString() },
    {
      kind: 'model_drifted',
      count: 2,
      model_id: 'mod_1',
      words: 'less came',
      at: at.toISOString(),
    },
    { kind: 'disputes_due', count: 1, at: '2026-03-01T09:00:00.000Z' },
  ]);
});

it.each(['/api/overview', '/api/retry-map'])('%s refuses a range that is turned', async (path) => {
  const { ask } = operatorKit();
  const range = 'from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z';
  const reply = await ask('GET', `${path}?${range}`);
  expect([reply.status, fieldsOf(reply)]).toEqual([400, ['to: Must be later than from']]);
});
