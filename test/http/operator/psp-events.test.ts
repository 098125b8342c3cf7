import { expect, it } from 'vitest';
import { fieldsOf, newMerchant, operatorKit } from '../../kits/operator-server.ts';

const path = '/api/merchants/mer_1/psp-events';
const at = new Date('2026-03-01T09:30:00.000Z');

async function withEvents() {
  const kit = operatorKit();
  await kit.ask('POST', '/api/merchants', newMerchant);
  const event = {
    eventId: 'evt_1',
    type: 'charge.dispute.created',
    kind: 'dispute',
    outcome: 'dispute_kept',
    pspTransactionId: 'ch_1',
    occurredAt: at,
    receivedAt: at,
  } as const;
  kit.api.pspEvents.set('mer_1', [
    { psp: 'stripe', ...event },
    { psp: 'adyen', ...event },
  ]);
  return kit;
}

it('lists what PSPs told, with what became of it', async () => {
  const { ask, api } = await withEvents();
  const reply = await ask('GET', `${path}?psp=stripe&limit=5&cursor=c`);
  expect([reply.status, reply.json]).toEqual([
    200,
    {
      items: [
        {
          psp: 'stripe',
          event_id: 'evt_1',
          type: 'charge.dispute.created',
          kind: 'dispute',
          outcome: 'dispute_kept',
          psp_transaction_id: 'ch_1',
          occurred_at: '2026-03-01T09:30:00.000Z',
          received_at: '2026-03-01T09:30:00.000Z',
        },
      ],
    },
  ]);
  const input = { merchantId: 'mer_1', psp: 'stripe', limit: 5, cursor: 'c' };
  expect(api.calls.at(-1)).toEqual({ name: 'listPspEvents', input });
});

it('refuses a PSP that there is none of, and fields that it does not know', async () => {
  const { ask } = await withEvents();
  const reply = await ask('GET', `${path}?psp=wirecard&kind=dispute`);
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply).map((text) => text.split(':')[0])).toEqual(['kind', 'psp']);
});

it('knows no events of an unknown merchant', async () => {
  const { ask } = await withEvents();
  expect((await ask('GET', '/api/merchants/mer_none/psp-events')).status).toBe(404);
});
