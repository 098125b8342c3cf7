import { expect, it } from 'vitest';
import { makeStatements } from '../../src/store/statements/make-statements.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A declined charge and one that succeeded, told on the day; delivered once it was stated. */
async function stated() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  const of = { merchantId, invoiceId: 'in_1' };
  await seedPayment(service.db, { ...of, state: 'attempting' });
  const told = { delivery: 'pending' } as const;
  await seedAttempt(service.db, { ...of, number: 1, state: 'declined', sequence: 1, ...told });
  await seedAttempt(service.db, { ...of, number: 2, state: 'succeeded', sequence: 2, ...told });
  await service.db.pool.query(`update payments set state = 'recovered'`);
  const path = `/api/merchants/${merchantId}/monthly-statements`;
  const state = async (day: number) => {
    let made = 0;
    do ({ made } = await makeStatements(service.db, { at: minute(day * 1_440 + 60), after: '' }));
    while (made > 0);
  };
  return { ...service, merchantId, path, state };
}

const sum = (count: number, amount: number) => ({ count, amount_minor: amount });

it('sums the days of a month, and what later days corrected of them', async () => {
  const { ask, path, db, state } = await stated();
  expect((await ask('GET', `${path}/2026-03`)).status).toBe(404);
  await state(1);
  const first = (await ask('GET', `${path}/2026-03`)).json;
  expect(first).toEqual({
    month: '2026-03',
    days: 1,
    as_of: { day: '2026-03-01', hash: expect.stringMatching(/^[0-9a-f]{64}$/) },
    accounts: [
      {
        psp: 'sandbox',
        connection_version: 1,
        currency: 'EUR',
        attempts: sum(2, 2_000),
        declined: sum(1, 1_000),
        successes: sum(1, 1_000),
        recovered: sum(1, 1_000),
        announced: sum(1, 1_000),
        refunds: sum(0, 0),
        incidents: sum(0, 0),
      },
    ],
    events: { created: 2, delivered: 0, pending: 2, given_up: 0 },
    agrees: true,
  });
  await db.pool.query(
    `update deliveries set state = 'delivered', delivered_at = created_at, next_attempt_at = null`,
  );
  await state(2);
  const { json } = await ask('GET', `${path}/2026-03`);
  expect(json).toMatchObject({
    days: 2,
    as_of: { day: '2026-03-02' },
    accounts: first.accounts,
    events: { created: 2, delivered: 2, pending: 0, given_up: 0 },
    agrees: true,
  });
});

it('is a file of exact figures where CSV is asked for', async () => {
  const { path, merchantId, state, server } = await stated();
  await state(1);
  const reply = await server.inject({
    url: `${path}/2026-03`,
    headers: { authorization: `Bearer ${operatorToken}`, accept: 'text/csv' },
  });
  expect(reply.headers['content-type']).toBe('text/csv; charset=utf-8');
  expect(reply.headers['content-disposition']).toContain(`${merchantId}-2026-03.csv`);
  const lines = reply.body.split('\r\n');
  expect(lines[0]).toBe('month,psp,account,currency,figure,count,amount');
  expect(lines).toContain('2026-03,sandbox,1,EUR,recovered,1,10.00');
  expect(lines).toContain('2026-03,,,,events_pending,2,');
});

it('refuses what is no month, and a merchant that is not there', async () => {
  const { ask, path } = await stated();
  for (const month of ['2026-13', '2026-3', 'march']) {
    expect((await ask('GET', `${path}/${month}`)).status).not.toBe(200);
  }
  expect((await ask('GET', '/api/merchants/mer_none/monthly-statements/2026-03')).status).toBe(404);
});
