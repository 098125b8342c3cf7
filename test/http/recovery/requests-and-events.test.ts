import { describe, expect, test } from 'vitest';
import { formatRequestId } from '../../../src/domain/request-id.ts';
import { eventView } from '../../kits/payment-views.ts';
import { testServer } from '../../kits/recovery-server.ts';

const uuid = '6f1c2c1e-3b1d-4a53-9d0f-0d7b7f3f6a11';
const requestId = { uuid, number: 42n, partition: 7 };

describe('GET /recover/requests/{request_id}', () => {
  test('tells what became of a request', async () => {
    const { call, api } = testServer();
    const id = formatRequestId(requestId);
    const receivedAt = new Date('2026-06-01T00:00:00Z');
    api.requests.set(uuid, { requestId, kind: 'payment', status: 'accepted', receivedAt });
    const url = `/recover/requests/${id}`;
    expect((await call({ method: 'GET', url })).body).toBe(
      `{"request_id":"${id}","kind":"payment","status":"accepted","received_at":"2026-06-01T00:00:00.000Z"}`,
    );
    api.requests.set(uuid, {
      requestId,
      kind: 'payment',
      status: 'applied',
      receivedAt,
      appliedAt: new Date('2026-06-01T00:00:01Z'),
      outcome: { result: 'recovery_started' },
    });
    expect((await call({ method: 'GET', url: url.replaceAll(':', '%3A') })).json()).toMatchObject({
      status: 'applied',
      applied_at: '2026-06-01T00:00:01.000Z',
      outcome: { result: 'recovery_started' },
    });
  });

  test.each([
    formatRequestId({ ...requestId, uuid: uuid.replace('6', '7') }),
    uuid,
    `${uuid}:42:7`,
    'x',
  ])('%s is not found', async (id) => {
    const answer = await testServer().call({ method: 'GET', url: `/recover/requests/${id}` });
    expect([answer.statusCode, answer.body]).toEqual([404, '{"message":"Request not found."}']);
  });
});

describe('GET /recover/events', () => {
  test('lists events with their bodies and deliveries', async () => {
    const { call, api } = testServer();
    api.events.push(eventView('evt_1'));
    const answer = await call({ method: 'GET', url: '/recover/events?cursor=12&limit=5' });
    expect(answer.json()).toEqual({
      events: [
        {
          event_id: 'evt_1',
          sequence: '9007199254740993',
          type: 'retry_result',
          invoice_id: 'in_1',
          created_at: '2026-06-02T00:00:02.000Z',
          body: { success: false, invoice_id: 'in_1' },
          delivery: {
            event_id: 'evt_1',
            type: 'retry_result',
            status: 'pending',
            tries: 2,
            next_attempt_at: '2026-06-02T12:00:02.000Z',
            last_status: 503,
            last_error: 'server_error',
          },
        },
      ],
    });
    expect(api.listed).toEqual([{ merchantId: 'mer_first', cursor: '12', limit: 5 }]);
  });
});

describe('POST /recover/events/{id}/redeliver', () => {
  test('queues an event, and knows no other', async () => {
    const { call, api } = testServer();
    api.events.push(eventView('evt_1'));
    const queued = await call({ method: 'POST', url: '/recover/events/evt_1/redeliver' });
    expect([queued.statusCode, queued.body]).toEqual([
      200,
      '{"message":"Redelivery queued","event_id":"evt_1"}',
    ]);
    const unknown = await call({ method: 'POST', url: '/recover/events/evt_2/redeliver' });
    expect([unknown.statusCode, unknown.body]).toEqual([404, '{"message":"Event not found."}']);
  });
});
