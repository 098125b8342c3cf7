import { afterAll, beforeAll, expect, it } from 'vitest';
import type { ListPspEvents } from '../../../src/recovery/reports/operator-views.ts';
import type { Database } from '../../../src/store/database.ts';
import { readPspEvents } from '../../../src/store/reports/read-psp-events.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedMerchant } from './seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  const rows = [
    ['mer_a', 'stripe', 'evt_1', 1],
    ['mer_a', 'adyen', 'evt_2', 2],
    ['mer_a', 'stripe', 'evt_2', 2],
    ['mer_a', 'stripe', 'evt_4', 2],
    ['mer_a', 'stripe', 'evt_0', 5],
    ['mer_b', 'stripe', 'evt_9', 9],
  ] as const;
  // Every other one is of a release that noted all in one table.
  for (const [index, [merchantId, psp, eventId, at]] of rows.entries()) {
    const [table, month, value] =
      index % 2 === 0 ? ['psp_events', '', ''] : ['psp_event_notes', 'month,', `'2026-03-01',`];
    await db.pool.query(
      `insert into ${table} (merchant_id, psp, event_id, ${month} type, kind, outcome, invoice_id,
         occurred_at, received_at)
       values ($1, $2, $3, ${value} 'invoice.voided', 'invoice_closed', 'recovery_stopped', 'in_1', $4, $5)`,
      [merchantId, psp, eventId, minute(0), minute(at)],
    );
  }
});
afterAll(() => db.close());

async function readAll(input: Partial<ListPspEvents>, limit: number): Promise<readonly string[]> {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor === undefined ? {} : { cursor };
    const page = await readPspEvents(db, { merchantId: 'mer_a', ...input, ...at, limit });
    seen.push(...page.items.map((event) => `${event.psp} ${event.eventId}`));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

it.each([1, 2, 3, 50])('lists the newest first, in pages of %i', async (limit) => {
  expect(await readAll({}, limit)).toEqual([
    'stripe evt_0',
    'stripe evt_4',
    'stripe evt_2',
    'adyen evt_2',
    'stripe evt_1',
  ]);
  expect(await readAll({ psp: 'adyen' }, limit)).toEqual(['adyen evt_2']);
  expect(await readAll({ psp: 'braintree' }, limit)).toEqual([]);
});

it('shows what Recoup made of each', async () => {
  const { items } = await readPspEvents(db, { merchantId: 'mer_b', limit: 5 });
  expect(items).toEqual([
    {
      psp: 'stripe',
      eventId: 'evt_9',
      type: 'invoice.voided',
      kind: 'invoice_closed',
      outcome: 'recovery_stopped',
      invoiceId: 'in_1',
      occurredAt: minute(0),
      receivedAt: minute(9),
    },
  ]);
});

it('refuses a cursor of another list', async () => {
  const list = readPspEvents(db, { merchantId: 'mer_a', cursor: 'x', limit: 5 });
  await expect(list).rejects.toMatchObject({ code: 'invalid_request' });
});
