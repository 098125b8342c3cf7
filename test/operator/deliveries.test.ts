import { describe, expect, it } from 'vitest';
import { fakeDelivery } from '../kits/fake-operator-api.ts';
import { fieldsOf, newMerchant, operatorKit } from '../kits/operator-server.ts';

async function withDeliveries() {
  const kit = operatorKit();
  await kit.ask('POST', '/api/merchants', newMerchant);
  kit.api.deliveries.set('mer_1', [
    fakeDelivery('evt_1', 'pending'),
    fakeDelivery('evt_2', 'exhausted'),
  ]);
  return kit;
}

const path = '/api/merchants/mer_1/deliveries';

describe('GET /api/merchants/{id}/deliveries', () => {
  it('lists them with the log of their tries', async () => {
    const { ask } = await withDeliveries();
    const reply = await ask('GET', `${path}?status=pending`);
    expect(reply.status).toBe(200);
    expect(reply.json).toEqual({
      items: [
        {
          event_id: 'evt_1',
          type: 'retry_result',
          status: 'pending',
          tries: 1,
          next_attempt_at: '2026-03-01T21:30:00.000Z',
          last_status: 500,
          last_error: 'The server answered 500.',
          invoice_id: 'in_1',
          sequence: 42,
          created_at: '2026-03-01T09:30:00.000Z',
          log: [{ number: 1, sent_at: '2026-03-01T09:30:00.000Z', status: 500, duration_ms: 84 }],
        },
      ],
    });
  });

  it('passes every filter on', async () => {
    const { ask, api } = await withDeliveries();
    await ask('GET', `${path}?status=exhausted&invoice_id=in%2F1&cursor=c1&limit=7`);
    expect(api.calls.at(-1)).toEqual({
      name: 'listDeliveries',
      input: {
        merchantId: 'mer_1',
        status: 'exhausted',
        invoiceId: 'in/1',
        cursor: 'c1',
        limit: 7,
      },
    });
  });

  it('refuses an unknown status', async () => {
    const { ask } = await withDeliveries();
    const reply = await ask('GET', `${path}?status=lost`);
    expect(fieldsOf(reply)).toEqual([
      "status: Input should be 'pending', 'delivered' or 'exhausted'",
    ]);
  });

  it('answers 404 for no merchant', async () => {
    expect((await operatorKit().ask('GET', path)).status).toBe(404);
  });
});

describe('POST /api/merchants/{id}/deliveries/{event_id}/replay', () => {
  it('queues the event', async () => {
    const { ask, api } = await withDeliveries();
    const reply = await ask('POST', `${path}/evt_2/replay`);
    expect([reply.status, reply.json]).toEqual([202, { status: 'queued' }]);
    expect(api.calls.at(-1)?.input).toEqual({ merchantId: 'mer_1', eventId: 'evt_2' });
  });

  it('answers 404 for an event that the merchant does not have', async () => {
    const { ask } = await withDeliveries();
    const reply = await ask('POST', `${path}/evt_9/replay`);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
  });
});

describe('POST /api/merchants/{id}/deliveries/replay', () => {
  it.each(['2026-03-01T00:00:00Z', '2026-03-01t01:00:00+01:00'])(
    'queues what was given up since %s',
    async (since) => {
      const { ask, api } = await withDeliveries();
      const reply = await ask('POST', `${path}/replay`, { since });
      expect([reply.status, reply.json]).toEqual([
        202,
        { queued: 1, begun_at: '2026-03-01T09:30:00.000Z' },
      ]);
      expect(api.calls.at(-1)?.input).toEqual({
        merchantId: 'mer_1',
        since: new Date('2026-03-01T00:00:00Z'),
      });
    },
  );

  it.each([{}, { since: 'yesterday' }, { since: '2026-02-30T00:00:00Z' }, { since: 1 }])(
    'refuses %j',
    async (body) => {
      const { ask } = await withDeliveries();
      const reply = await ask('POST', `${path}/replay`, body);
      expect(reply.status).toBe(400);
      expect(reply.json.error.fields).toMatchObject([{ field: 'since' }]);
    },
  );

  it('answers 404 for no merchant', async () => {
    const body = { since: '2026-03-01T00:00:00Z' };
    expect((await operatorKit().ask('POST', `${path}/replay`, body)).status).toBe(404);
  });
});
