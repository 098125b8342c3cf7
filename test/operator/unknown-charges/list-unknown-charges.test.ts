import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { operatorKit } from '../../kits/operator-server.ts';
import { openReportDatabase } from '../../store/reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment } from '../../store/reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_1', 'mer_2']) {
    const of = { merchantId, invoiceId: 'in_1' };
    await seedMerchant(db, merchantId);
    await seedPayment(db, { ...of, state: 'attempting' });
    await seedAttempt(db, { ...of, number: 1, state: 'unknown' });
  }
  await db.pool.query(
    `update psp_transactions set look_ups = 7, reason = 'the PSP may have forgotten its key'
     where merchant_id = 'mer_1'`,
  );
});
afterAll(() => db.close());

it('lists all that is known of a charge whose answer was lost', async () => {
  const { ask } = operatorKit({ db });
  expect((await ask('GET', '/api/unknown-charges?merchant_id=mer_1')).json).toEqual({
    items: [
      {
        merchant_id: 'mer_1',
        invoice_id: 'in_1',
        service_id: 'att_in_1_1',
        psp: 'sandbox',
        idempotency_key: 'att_in_1_1',
        payment_method_id: 'pm_1',
        amount: 10,
        currency: 'EUR',
        sent_at: minute(1).toISOString(),
        look_ups: 7,
        reason: 'the PSP may have forgotten its key',
      },
    ],
  });
});

it('lists those of all merchants, and none of one that can have no id', async () => {
  const { ask } = operatorKit({ db });
  const merchants = async (query: string) =>
    (await ask('GET', `/api/unknown-charges${query}`)).json.items.map(
      (item: { merchant_id: string }) => item.merchant_id,
    );
  expect((await merchants('')).sort()).toEqual(['mer_1', 'mer_2']);
});
