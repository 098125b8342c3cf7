import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { fieldsOf, operatorKit } from '../../kits/operator-server.ts';
import { openReportDatabase } from '../../store/reports/report-database.ts';
import { minute, seedMerchant } from '../../store/reports/seed.ts';

const path = '/api/merchants/mer_1/psp-events';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_1', 'mer_2']) await seedMerchant(db, merchantId);
  for (const [merchantId, psp, eventId, at] of [
    ['mer_1', 'stripe', 'evt_1', 1],
    ['mer_1', 'stripe', 'evt_2', 2],
    ['mer_1', 'adyen', 'evt_3', 3],
    ['mer_2', 'stripe', 'evt_4', 4],
  ] as const) {
    await db.pool.query(
      `insert into psp_events (merchant_id, psp, event_id, type, kind, outcome,
         psp_transaction_id, occurred_at, received_at)
       values ($1, $2, $3, 'invoice.voided', 'invoice_closed', 'recovery_stopped', 'ch_1', $4, $5)`,
      [merchantId, psp, eventId, minute(0), minute(at)],
    );
  }
});
afterAll(() => db.close());

it('lists what PSPs told, with what became of it, page by page', async () => {
  const { ask } = operatorKit({ db });
  const first = await ask('GET', `${path}?psp=stripe&limit=1`);
  expect([first.status, first.json]).toEqual([
    200,
    {
      items: [
        {
          psp: 'stripe',
          event_id: 'evt_2',
          type: 'invoice.voided',
          kind: 'invoice_closed',
          outcome: 'recovery_stopped',
          psp_transaction_id: 'ch_1',
          occurred_at: minute(0).toISOString(),
          received_at: minute(2).toISOString(),
        },
      ],
      next_cursor: expect.any(String),
    },
  ]);
  const next = await ask('GET', `${path}?psp=stripe&limit=1&cursor=${first.json.next_cursor}`);
  expect(next.json.items.map((item: { event_id: string }) => item.event_id)).toEqual(['evt_1']);
  expect(next.json.next_cursor).toBeUndefined();
  expect((await ask('GET', path)).json.items).toHaveLength(3);
});

it('refuses a PSP that there is none of, fields that it does not know, and foreign cursors', async () => {
  const { ask } = operatorKit({ db });
  const reply = await ask('GET', `${path}?psp=wirecard&kind=dispute`);
  expect(reply.status).toBe(400);
  expect(fieldsOf(reply).map((text) => text.split(':')[0])).toEqual(['kind', 'psp']);
  expect((await ask('GET', `${path}?cursor=c`)).status).toBe(400);
});

it('knows no events of an unknown merchant', async () => {
  const { ask } = operatorKit({ db });
  expect((await ask('GET', '/api/merchants/mer_none/psp-events')).status).toBe(404);
});
