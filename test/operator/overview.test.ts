import { expect, it } from 'vitest';
import { overviewJson } from '../../src/operator/overview/overview-shape.ts';
import type { Overview } from '../../src/recovery/reports/overview.ts';
import { noteProcessClock } from '../../src/store/clock/process-clocks.ts';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

const at = new Date('2026-03-01T09:00:00.000Z');

it('gives the overview of a merchant and a time, in major units', async () => {
  const { ask, db, merchant, counted } = await operatorService();
  const [own, other] = [await merchant(), await merchant()];
  for (const merchantId of [own, other]) {
    await seedPayment(db, { merchantId, invoiceId: 'in_open', amount_minor: 2_250 });
    await seedPayment(db, { merchantId, invoiceId: 'in_stuck', state: 'attempting' });
    await seedAttempt(db, { merchantId, invoiceId: 'in_stuck', number: 1, state: 'unknown' });
  }
  const path = `/api/overview?merchant_id=${own}&from=2026-02-01T00:00:00Z&to=2026-03-02T00:00:00Z`;
  await ask('GET', path);
  await counted();
  const { json } = await ask('GET', path);
  expect(json.currencies).toMatchObject([
    {
      currency: 'EUR',
      recovered: { payments: 0, amount: 0 },
      at_risk: { payments: 2, amount: 32.5 },
      cohort: { payments: 2, amount: 32.5, open: { payments: 2, amount: 32.5 } },
    },
  ]);
  expect(json.currencies[0]).not.toHaveProperty('verdict');
  expect(json.alerts).toEqual([
    {
      kind: 'unknown_outcomes',
      merchant_id: own,
      merchant_name: 'Acme',
      count: 1,
      need_person: 1,
      at: minute(1).toISOString(),
    },
  ]);
});

it('has the verdict of the uplift report, of the payments that failed within the time', async () => {
  const { ask, db, merchant, counted, clock } = await operatorService();
  const merchantId = await merchant();
  const fixed = await merchant();
  const [learned, heldOut] = [{ decision: { arm: 'learned' } }, { decision: { arm: 'holdout' } }];
  for (let n = 0; n < 60; n += 1) {
    const recovered = async (invoiceId: string, of: string, more: object) => {
      await seedPayment(db, { merchantId: of, invoiceId, state: 'recovered', ...more });
      await seedAttempt(db, { merchantId: of, invoiceId, number: 1, state: 'succeeded' });
    };
    const exhausted = (invoiceId: string, of: string, more: object) =>
      seedPayment(db, { merchantId: of, invoiceId, state: 'exhausted', ...more });
    await (n % 2 === 0 ? recovered : exhausted)(`in_l${n}`, merchantId, learned);
    // 30 and 27 of 60: whichever groups the payers fall into, the interval holds zero.
    await (n % 20 < 9 ? recovered : exhausted)(`in_h${n}`, merchantId, heldOut);
    // A merchant on fixed days, and payments planned while no model was trusted: of neither side.
    if (n < 10) await recovered(`in_f${n}`, fixed, {});
    if (n < 10) await recovered(`in_b${n}`, merchantId, { decision: { arm: 'fallback' } });
  }
  clock.at = new Date('2026-03-03T00:00:00Z');
  await ask('GET', '/api/overview');
  await counted();
  for (const query of ['', `merchant_id=${merchantId}`, 'from=2026-02-28T12:00:00Z']) {
    const { json } = await ask('GET', `/api/overview?${query}`);
    const asked = query.replace('from', 'since');
    const { json: uplift } = await ask('GET', `/api/uplift?${asked}`);
    const all = uplift.parts.find((part: { dimension: string }) => part.dimension === 'all');
    expect(json.currencies[0].verdict).toEqual(all.verdict);
    expect(all.verdict).toMatchObject({
      result: 'not_significant',
      learned_payments: 60,
      holdout_payments: 60,
      amount: { value: 30 },
      payments_needed: expect.any(Number),
    });
  }
  const { json: other } = await ask('GET', `/api/overview?merchant_id=${fixed}`);
  expect(other.currencies[0]).not.toHaveProperty('verdict');
  const { json: before } = await ask('GET', '/api/overview?to=2026-02-28T00:00:00Z');
  expect(before.currencies).not.toContainEqual(
    expect.objectContaining({ verdict: expect.anything() }),
  );
});

it('tells which process takes no work, and why', async () => {
  const { ask, db, clock } = await operatorService();
  const message = 'The clock is behind.';
  await noteProcessClock(db, {
    processId: 'host-7',
    roles: ['worker'],
    aheadMs: -3_000,
    uncertaintyMs: 1,
    heldBack: { code: 'clock_differs', message },
    at: clock.at,
  });
  const since = clock.at.toISOString();
  expect((await ask('GET', '/api/overview')).json.alerts).toEqual([
    { kind: 'work_held_back', count: 1, process_id: 'host-7', message, at: since },
  ]);
});

it('says of each alert what it is about', () => {
  const alerts: Overview['alerts'] = [
    { kind: 'cards_near_limit', network: 'visa', count: 3, spent: 1, at },
    {
      kind: 'model_drifted',
      modelId: 'mod_1',
      count: 2,
      message: 'less came',
      at,
    },
    { kind: 'disputes_due', count: 1, at },
  ];
  const networkPressure = { asOf: at, networks: [{ network: 'visa', near: 3, spent: 1 }] };
  const overview: Overview = {
    seriesStep: 'hour',
    currencies: [],
    planned: [],
    networkPressure,
    alerts,
  };
  const time = at.toISOString();
  expect(overviewJson(overview, { verdicts: new Map(), asOf: undefined })).toMatchObject({
    network_pressure: { as_of: time, networks: [{ network: 'visa', near: 3, spent: 1 }] },
    alerts: [
      { kind: 'cards_near_limit', count: 3, spent: 1, network: 'visa', at: time },
      { kind: 'model_drifted', count: 2, model_id: 'mod_1', message: 'less came', at: time },
      { kind: 'disputes_due', count: 1, at: time },
    ],
  });
});

it('gives the success of charges by the hour in which they were sent', async () => {
  const { ask, db, merchant, counted, clock } = await operatorService();
  const key = { merchantId: await merchant(), invoiceId: 'in_1' };
  await seedPayment(db, key);
  await seedAttempt(db, { ...key, number: 1, state: 'declined' });
  clock.at = new Date('2026-03-03T00:00:00Z');
  await ask('GET', '/api/retry-map');
  await counted();
  const { json } = await ask(
    'GET',
    '/api/retry-map?from=2026-02-28T00:00:00Z&to=2026-03-02T00:00:00Z',
  );
  expect(json.hours).toEqual([{ at: minute(0).toISOString(), tries: 1, successes: 0 }]);
});

it.each(['/api/overview', '/api/retry-map'])('%s refuses a range that is turned', async (path) => {
  const range = 'from=2026-03-01T00:00:00Z&to=2026-02-01T00:00:00Z';
  const reply = await operatorKit().ask('GET', `${path}?${range}`);
  expect([reply.status, fieldsOf(reply)]).toEqual([400, ['to: Must be later than from']]);
});

it.each([
  ['1970-01-01T00:00:00Z', '9999-12-31T23:59:59.999Z'],
  ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.999Z'],
])('the overview has a range from %s to %s', async (from, to) => {
  const { ask, counted } = await operatorService();
  await ask('GET', '/api/overview');
  // The comparisons are read once they are counted.
  await counted();
  expect((await ask('GET', `/api/overview?from=${from}&to=${to}`)).status).toBe(200);
});
