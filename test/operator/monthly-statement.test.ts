import { describe, expect, it } from 'vitest';
import { AppError } from '../../src/domain/errors.ts';
import { makeStatements } from '../../src/store/statements/make-statements.ts';
import { operatorToken } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { pdfText } from '../kits/pdf-text.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A declined charge and one that succeeded, told on the day; delivered once it was stated. */
async function stated(changes: Parameters<typeof operatorService>[0] = {}) {
  const service = await operatorService(changes);
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

/** Figures of an account by how the document calls them. */
const labels = {
  'Attempts: charges that the PSP answered': 'attempts',
  'Declined: attempts less successes': 'declined',
  'Successes: charges that succeeded': 'successes',
  'Recovered: payments': 'recovered',
  'Announced: successes in webhooks': 'announced',
  Refunds: 'refunds',
  Incidents: 'incidents',
};

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

describe('the document', () => {
  async function download(
    given: Awaited<ReturnType<typeof stated>>,
    query: string,
    accept: string,
  ) {
    const url = `${given.path}/2026-03${query}`;
    const headers = { authorization: `Bearer ${operatorToken}`, accept };
    const reply = await given.server.inject({ url, headers });
    return { ...reply, text: () => pdfText(reply.rawPayload).replaceAll(/\s+/g, ' ') };
  }

  it('has the figures of the JSON, exactly', async () => {
    const given = await stated();
    await given.state(1);
    const { json } = await given.ask('GET', `${given.path}/2026-03`);
    const reply = await download(given, '', 'application/pdf');
    expect(reply.headers['content-type']).toBe('application/pdf');
    expect(reply.headers['content-disposition']).toBe(
      `attachment; filename="${given.merchantId}-2026-03.pdf"`,
    );
    const text = reply.text();
    const [account] = json.accounts;
    for (const [label, figure] of Object.entries(labels)) {
      const { count, amount_minor: minor } = account[figure];
      expect(text).toContain(`${label} ${count} ${minor / 100}.00 EUR`);
    }
    const { created, delivered, pending, given_up: givenUp } = json.events;
    expect(text).toContain(
      `Created ${created} Delivered ${delivered} Pending ${pending} Given up ${givenUp} `,
    );
    expect(text).toContain(`Acme, March 2026 Merchant Acme Merchant's id ${given.merchantId}`);
    expect(text).toContain(`It has to be: ${json.as_of.hash}`);
    expect(text).toContain('1 of 31: the month is not stated to its end');
    expect((await download(given, '', 'application/pdf')).rawPayload).toEqual(reply.rawPayload);
  });

  it('is what a plain link asks for, whatever the browser accepts', async () => {
    const given = await stated();
    await given.state(1);
    const browser = 'text/html,application/xhtml+xml,*/*;q=0.8';
    expect((await download(given, '?format=pdf', browser)).text()).toContain('Monthly statement');
    const csv = await download(given, '?format=csv', browser);
    expect(csv.body).toContain('2026-03,sandbox,1,EUR,recovered,1,10.00');
    expect((await download(given, '?format=xls', browser)).statusCode).toBe(400);
    expect((await download(given, '', 'text/html')).json().error).toMatchObject({
      code: 'not_acceptable',
      message: expect.stringContaining('application/json, text/csv or application/pdf'),
    });
  });

  it('of no day, and of no merchant, there is none', async () => {
    const given = await stated();
    const none = await download(given, '', 'application/pdf');
    expect([none.statusCode, none.json().error.message]).toEqual([
      404,
      expect.stringContaining('The merchant has no statement for any day of this month.'),
    ]);
    const path = '/api/merchants/mer_none/monthly-statements';
    expect((await download({ ...given, path }, '?format=pdf', '*/*')).statusCode).toBe(404);
  });

  it('is refused while too many documents wait', async () => {
    const draw = async () => {
      throw new AppError('service_busy');
    };
    const given = await stated({ drawStatement: draw });
    await given.state(1);
    const refused = await download(given, '', 'application/pdf');
    expect(refused.statusCode).toBe(503);
  });
});

it('lists the months that are stated, the newest first, and which are whole', async () => {
  const { ask, path, state } = await stated();
  expect((await ask('GET', path)).json).toEqual({ items: [] });
  await state(32);
  expect((await ask('GET', path)).json).toEqual({
    items: [
      { month: '2026-04', days: 1, complete: false },
      { month: '2026-03', days: 31, complete: true },
    ],
  });
  expect((await ask('GET', '/api/merchants/mer_none/monthly-statements')).status).toBe(404);
});

it('refuses what is no month, and a merchant that is not there', async () => {
  const { ask, path } = await stated();
  for (const month of ['2026-13', '2026-3', 'march']) {
    expect((await ask('GET', `${path}/${month}`)).status).not.toBe(200);
  }
  expect((await ask('GET', '/api/merchants/mer_none/monthly-statements/2026-03')).status).toBe(404);
});
