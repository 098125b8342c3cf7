import { describe, expect, it } from 'vitest';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A merchant with an event that was delivered and one that was given up. */
async function withDeliveries() {
  const service = await operatorService();
  const merchantId = await service.merchant();
  const key = { merchantId, invoiceId: 'in_1' };
  await seedPayment(service.db, key);
  for (const [number, delivery] of [
    [1, 'delivered'],
    [2, 'exhausted'],
  ] as const) {
    const told = { number, state: 'declined', sequence: number, delivery } as const;
    await seedAttempt(service.db, { ...key, ...told });
  }
  return { ...service, merchantId, path: `/api/merchants/${merchantId}` };
}

const anywhere = '/api/merchants/mer_1';

describe('POST /api/merchants/{id}/replays', () => {
  it.each(['2026-03-01T00:00:00Z', '2026-03-01t01:00:00+01:00'])(
    'has what was given up since %s sent again in the background',
    async (from) => {
      const { ask, path, requested, merchantId } = await withDeliveries();
      const { status, json } = await ask('POST', `${path}/replays`, { from });
      expect([status, json]).toEqual([
        202,
        {
          id: expect.stringMatching(/^rpl_/),
          state: 'running',
          status: 'exhausted',
          from: '2026-03-01T00:00:00.000Z',
          until: '2026-03-01T09:30:00.000Z',
          matched: 1,
          queued: 0,
          waiting: 0,
          delivered: 0,
          failing: 0,
          exhausted: 0,
          superseded: 0,
          requested_at: '2026-03-01T09:30:00.000Z',
        },
      ]);
      const input = { merchantId, replayId: json.id };
      expect(requested).toEqual([{ name: 'replay', input }]);
      const shown = await ask('GET', `${path}/replays/${json.id}`);
      expect([shown.status, shown.json]).toEqual([200, json]);
      expect((await ask('GET', `${path}/replays`)).json).toEqual({ items: [json] });
    },
  );

  it('takes a state, a type and an end, and no end in time to come', async () => {
    const { ask, path } = await withDeliveries();
    const from = '2026-02-01T00:00:00Z';
    const body = { from, until: '2099-01-01T00:00:00Z', status: 'any', type: 'retry_result' };
    const { json } = await ask('POST', `${path}/replays`, body);
    expect(json).toMatchObject({
      status: 'any',
      type: 'retry_result',
      matched: 2,
      until: '2026-03-01T09:30:00.000Z',
    });
  });

  it('asks for no work where nothing is meant', async () => {
    const { ask, path, requested } = await withDeliveries();
    const body = { from: '2026-03-01T00:00:00Z', type: 'incident' };
    expect((await ask('POST', `${path}/replays`, body)).json).toMatchObject({
      state: 'done',
      matched: 0,
    });
    expect(requested).toEqual([]);
  });

  it.each([{}, { from: 'yesterday' }, { from: '2026-02-30T00:00:00Z' }, { from: 1 }])(
    'refuses %j',
    async (body) => {
      const reply = await operatorKit().ask('POST', `${anywhere}/replays`, body);
      expect(reply.status).toBe(400);
      expect(reply.json.error.fields).toMatchObject([{ field: 'from' }]);
    },
  );

  it('refuses a state and a type that there are none of', async () => {
    const body = { from: '2026-03-01T00:00:00Z', status: 'lost', type: 'ping' };
    expect(fieldsOf(await operatorKit().ask('POST', `${anywhere}/replays`, body))).toEqual([
      "status: Input should be 'pending', 'delivered', 'exhausted' or 'any'",
      "type: Input should be 'retry_result', 'end_of_dunning', 'incident', 'customer_action_required' or 'customer_action_resolved'",
    ]);
  });

  it('answers 404 for no merchant, and for no replay', async () => {
    const { ask } = await operatorService();
    const body = { from: '2026-03-01T00:00:00Z' };
    expect((await ask('POST', `${anywhere}/replays`, body)).status).toBe(404);
    expect((await ask('GET', `${anywhere}/replays`)).status).toBe(404);
    expect((await ask('GET', `${anywhere}/replays/rpl_1`)).status).toBe(404);
  });
});

describe('GET /api/merchants/{id}/deliveries/count', () => {
  it.each([
    ['', 1],
    ['&status=any', 2],
    ['&status=delivered', 1],
    ['&until=2026-02-01T00:00:00Z', 0],
  ])('says how many a replay would send: %s', async (query, count) => {
    const { ask, path } = await withDeliveries();
    const reply = await ask('GET', `${path}/deliveries/count?from=2026-01-01T00:00:00Z${query}`);
    expect([reply.status, reply.json]).toEqual([200, { count }]);
  });

  it('refuses a time that is none, and answers 404 for no merchant', async () => {
    const { ask } = await operatorService();
    expect((await ask('GET', `${anywhere}/deliveries/count?from=x`)).status).toBe(400);
    const at = '2026-03-01T00:00:00Z';
    expect((await ask('GET', `${anywhere}/deliveries/count?from=${at}`)).status).toBe(404);
  });
});
