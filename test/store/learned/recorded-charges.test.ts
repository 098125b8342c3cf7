import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { readRecordedCharges } from '../../../src/store/learned/recorded-charges.ts';
import { openReportDatabase } from '../reports/report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedReport } from '../reports/seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  for (const invoiceId of ['in_1', 'in_2']) {
    const key = { merchantId: 'mer_a', invoiceId };
    await seedPayment(db, { ...key, state: 'recovered' });
    await seedAttempt(db, { ...key, number: 1, state: 'succeeded' });
    await report({ ...key, pspTransactionId: `ch_of_${invoiceId}` });
  }
  // Our own charge, reported back; and what is another merchant's.
  const back = { merchantId: 'mer_a', invoiceId: 'in_1', pspTransactionId: 'ch_att_in_1_1' };
  await report({ ...back, success: true });
  await report({ merchantId: 'mer_b', invoiceId: 'in_1', pspTransactionId: 'ch_other' });
  await db.pool.query(
    `update attempts set decision = '{"propensity": 0.93}' where invoice_id = 'in_1'`,
  );
  await db.pool.query(
    `update transactions set detail = '{"scheme": "visa", "outcome": {"raw_response_message": "51"}}'
     where merchant_id = 'mer_a' and not success`,
  );
});
afterAll(() => db.close());

const report = (input: {
  merchantId: string;
  invoiceId: string;
  pspTransactionId: string;
  success?: boolean;
}) =>
  seedReport(db, {
    ...input,
    customerId: `cus_of_${input.invoiceId}`,
    pspCustomerId: input.pspTransactionId,
    subscriptionId: 'sub_1',
    transactionId: `tra_${input.pspTransactionId}`,
  });

it('reads reported and own charges, one that was reported back once, with its propensity', async () => {
  const page = { merchantId: 'mer_a', from: minute(-10), to: minute(60), limit: 1 };
  const first = await readRecordedCharges(db, page);
  expect(first).toMatchObject([
    {
      chargeId: 'sandbox/ch_of_in_1',
      invoiceId: 'in_1',
      succeeded: false,
      at: minute(0),
      scheme: 'visa',
      outcome: { raw_response_message: '51' },
    },
    {
      chargeId: 'att_in_1_1/1',
      customerId: 'cus_of_in_1',
      succeeded: true,
      at: minute(1),
      propensity: 0.93,
    },
  ]);
  const second = await readRecordedCharges(db, { ...page, afterInvoice: 'in_1' });
  expect(second.map(({ chargeId }) => chargeId)).toEqual(['sandbox/ch_of_in_2', 'att_in_2_1/1']);
  expect(await readRecordedCharges(db, { ...page, afterInvoice: 'in_2' })).toEqual([]);
  expect(await readRecordedCharges(db, { ...page, from: minute(1) })).toEqual([]);
});

it('leaves out what was reported of a time to come: after it no window would be open any more', async () => {
  const page = { merchantId: 'mer_b', from: minute(-10), to: minute(60), limit: 10 };
  const ids = async (asked: typeof page) =>
    (await readRecordedCharges(db, asked)).map(({ chargeId }) => chargeId);
  for (const invoiceId of ['in_1', 'in_3']) {
    await report({ merchantId: 'mer_b', invoiceId, pspTransactionId: `ch_later_${invoiceId}` });
  }
  await db.pool.query(
    `update transactions set occurred_at = $1 where psp_transaction_id like 'ch_later_%'`,
    [minute(61)],
  );
  expect(await ids(page)).toEqual(['sandbox/ch_other']);
  expect(await ids({ ...page, to: minute(61) })).toHaveLength(3);
});
