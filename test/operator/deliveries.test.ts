import { describe, expect, it } from 'vitest';
import { fieldsOf, operatorKit } from '../kits/operator-server.ts';
import { operatorService } from '../kits/operator-service.ts';
import { minute, seedAttempt, seedPayment } from '../store/reports/seed.ts';

/** A merchant with one event that is sent again, and one that was given up. */
async function withDeliveries() {
  const service = await operatorService();
  const merchantId = await service.merchant({ auth: { type: 'api_key', api_key: 'hunter2' } });
  for (const [number, delivery] of [
    [1, 'pending'],
    [2, 'exhausted'],
  ] as const) {
    const key = { merchantId, invoiceId: `in/${number}` };
    await seedPayment(service.db, key);
    await seedAttempt(service.db, {
      ...key,
      number,
      state: 'declined',
      sequence: 40 + number,
      delivery,
    });
  }
  return { ...service, merchantId, path: `/api/merchants/${merchantId}/deliveries` };
}

const anywhere = '/api/merchants/mer_1/deliveries';

describe('GET /api/merchants/{id}/deliveries', () => {
  it('lists them with the log of their tries', async () => {
    const { ask, path } = await withDeliveries();
    const reply = await ask('GET', `${path}?status=pending`);
    const sentAt = minute(41).toISOString();
    expect([reply.status, reply.json]).toEqual([
      200,
      {
        items: [
          {
            event_id: 'evt_att_in/1_1',
            type: 'retry_result',
            status: 'pending',
            tries: 1,
            next_attempt_at: minute(41 + 720).toISOString(),
            last_status: 500,
            last_error: 'server_error: 500',
            invoice_id: 'in/1',
            sequence: 41,
            created_at: sentAt,
            log: [
              {
                number: 1,
                sent_at: sentAt,
                status: 500,
                error: 'server_error: 500',
                duration_ms: 12,
              },
            ],
          },
        ],
      },
    ]);
  });

  it('filters them, and reads them page by page', async () => {
    const { ask, path } = await withDeliveries();
    const idsOf = async (query: string) => {
      const { json } = await ask('GET', path + query);
      return json.items.map((item: { invoice_id: string }) => item.invoice_id);
    };
    expect(await idsOf('?invoice_id=in%2F2')).toEqual(['in/2']);
    expect(await idsOf('?invoice_id=in%2F2&status=pending')).toEqual([]);
    const { next_cursor: cursor } = (await ask('GET', `${path}?limit=1`)).json;
    expect(await idsOf(`?limit=1&cursor=${cursor}`)).toEqual(['in/1']);
  });

  it('refuses an unknown status', async () => {
    const reply = await operatorKit().ask('GET', `${anywhere}?status=lost`);
    expect(fieldsOf(reply)).toEqual([
      "status: Input should be 'pending', 'delivered' or 'exhausted'",
    ]);
  });

  it('answers 404 for no merchant', async () => {
    const { ask } = await operatorService();
    expect((await ask('GET', anywhere)).status).toBe(404);
  });
});

describe('GET /api/merchants/{id}/deliveries/{event_id}', () => {
  it('shows the text that is signed, and headers that open nothing', async () => {
    const { ask, path } = await withDeliveries();
    const { json } = await ask('GET', `${path}/${encodeURIComponent('evt_att_in/1_1')}`);
    expect(json).toMatchObject({
      delivery: { event_id: 'evt_att_in/1_1', status: 'pending' },
      body: '{"amount_collected":10,"currency":"EUR","success":false}',
    });
    expect(json.headers).toContainEqual({ name: 'x-api-key', value: '••••••••' });
    expect(json.headers).toContainEqual({ name: 'X-Service-Webhook-Type', value: 'retry_result' });
  });

  it('knows no event of another merchant', async () => {
    const { ask, merchant } = await withDeliveries();
    const path = `/api/merchants/${await merchant()}/deliveries`;
    expect((await ask('GET', `${path}/evt_att_in%2F1_1`)).status).toBe(404);
  });
});

describe('GET /api/endpoints', () => {
  it('shows those that fail first', async () => {
    const { ask, merchantId, merchant } = await withDeliveries();
    const idle = await merchant({ name: 'Aaa' });
    const { json } = await ask('GET', '/api/endpoints');
    expect(json.items).toMatchObject([
      { merchant_id: merchantId, state: 'failing', waiting: 1, exhausted: 1 },
      { merchant_id: idle, state: 'idle', waiting: 0, exhausted: 0 },
    ]);
    const own = await ask('GET', `/api/endpoints?merchant_id=${idle}`);
    expect(own.json.items).toMatchObject([{ merchant_id: idle }]);
  });
});

describe('POST /api/merchants/{id}/deliveries/{event_id}/replay', () => {
  it('queues the event', async () => {
    const { ask, path } = await withDeliveries();
    const reply = await ask('POST', `${path}/evt_att_in%2F2_2/replay`);
    expect([reply.status, reply.json]).toEqual([202, { status: 'queued' }]);
    expect((await ask('GET', `${path}?invoice_id=in%2F2`)).json.items).toMatchObject([
      { status: 'pending' },
    ]);
  });

  it('answers 404 for an event that the merchant does not have', async () => {
    const { ask, path } = await withDeliveries();
    const reply = await ask('POST', `${path}/evt_9/replay`);
    expect([reply.status, reply.json.error.code]).toEqual([404, 'not_found']);
  });

  it('says of one that a further endpoint does not have where it is', async () => {
    const { ask, path } = await withDeliveries();
    for (const [method, way] of [
      ['POST', '/replay'],
      ['GET', ''],
    ] as const) {
      const reply = await ask(method, `${path}/evt_att_in%2F2_2${way}?endpoint_id=ep_9`);
      expect([reply.status, reply.json.error.message]).toEqual([
        404,
        'This endpoint has no event with this id. Check the id, or leave endpoint_id out for the event at the webhook address.',
      ]);
    }
  });
});
