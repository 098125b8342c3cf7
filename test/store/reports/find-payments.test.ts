import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../src/store/database.ts';
import { findPayments } from '../../../src/store/reports/find-payments.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedReport } from './seed.ts';

const hash = (email: string): string => (email === 'ann@example.com' ? 'ab' : 'cd').repeat(32);
let db: Database;

/** A payment with its report, of this amount. */
async function seed(invoiceId: string, amountMinor: number, currency: string): Promise<void> {
  const key = { merchantId: 'mer_a', invoiceId };
  const money = { amount_minor: amountMinor, currency };
  const customer = { customer_id: `cus_${invoiceId}`, psp_customer_id: `pcus_${invoiceId}` };
  await seedPayment(db, { ...key, ...money, ...customer });
  await seedReport(db, {
    ...key,
    customerId: customer.customer_id,
    pspCustomerId: customer.psp_customer_id,
    subscriptionId: `sub_${invoiceId}`,
    transactionId: `tra_${invoiceId}`,
    pspTransactionId: `ch_${invoiceId}`,
  });
  await db.pool.query(
    'update transactions set amount_minor = $2, currency = $3 where invoice_id = $1',
    [invoiceId, amountMinor, currency],
  );
}

/** What a checkout captured of a payer, by one of the ids that it may have. */
async function seedCapture(id: string, column: string, value: string): Promise<void> {
  await db.pool.query(
    `insert into analytics (merchant_id, analytics_id, subject_id, state, psp, transaction_id, ${column},
       has_user_agent, has_public_ip, index_version, email_index, ip_index, sealed, captured_at)
     values ('mer_a', $1, 'sbj', 'active', 'sandbox', 'of_another_system', $2, false, false, 1,
       decode($3, 'hex'), decode($3, 'hex'), decode($3, 'hex'), $4)`,
    [id, value, hash('ann@example.com'), minute(0)],
  );
}

beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) await seedMerchant(db, merchantId);
  await seed('in_1001', 4_200, 'EUR');
  await seed('in_1002', 4_200, 'USD');
  await seed('in_yen', 4_200, 'JPY');
  await seed('in_dinar', 42_000, 'KWD');
  await seed('other', 120_050, 'USD');
  await seedAttempt(db, { merchantId: 'mer_a', invoiceId: 'other', number: 1, state: 'declined' });
  await db.pool.query(`
    insert into data_keys (merchant_id, version, wrapped_key, created_at)
      values ('mer_a', 1, decode(repeat('aa', 60), 'hex'), now());
    insert into analytics_index_keys values ('mer_a', 1, 1, decode(repeat('aa', 60), 'hex'), now());
    insert into analytics_subjects (merchant_id, subject_id, kind, subject_hash, key_version, sealed_key, created_at)
      values ('mer_a', 'sbj', 'email', decode(repeat('aa', 32), 'hex'), 1, decode(repeat('aa', 60), 'hex'), now());
    insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status, state_at,
        stage_begun_at, opened_at, payment_ids, invoice_id, card_last4, email_index, created_at, updated_at)
      values ('mer_a', 'dsp_1', 'sandbox', 'dp_1001', 'psp', 'dispute', 'chargeback', 'won', now(), now(), now(),
        '{}', 'in_yen', '4242', decode('${hash('ann@example.com')}', 'hex'), now(), now())`);
});
afterAll(() => db.close());

async function find(
  search: string,
  more: { merchantIds?: readonly string[]; status?: 'stopped'; heldBy?: 'any' | 'none' } = {},
) {
  const deps = { db, hashEmail: async (_: string, email: string) => hash(email) };
  const { items } = await findPayments(deps, { search, limit: 10, ...more });
  return items.map(({ invoiceId }) => invoiceId).sort();
}

describe('a search', () => {
  it('finds a whole id alone, where there is one', async () => {
    await seedPayment(db, { merchantId: 'mer_b', invoiceId: 'in_10' });
    expect(await find('in_10')).toEqual(['in_10']);
  });

  it.each([
    ['in_100', ['in_1001', 'in_1002']],
    ['cus_in_100', ['in_1001', 'in_1002']],
    ['sub_oth', ['other']],
    ['tra_oth', ['other']],
    ['ch_oth', ['other']],
    ['ch_att_oth', ['other']],
    ['att_oth', ['other']],
    ['dsp_', ['in_yen']],
    ['dp_1001', ['in_yen']],
    ['dp_10', ['in_yen']],
    ['dp_1_', []],
    ['n_100', []],
    ['in%', []],
    ['in', []],
  ])('finds by the beginning of an id: %s', async (search, found) => {
    expect(await find(search)).toEqual(found);
    expect(await find(search, { merchantIds: ['mer_b'] })).toEqual([]);
    expect(await find(search, { status: 'stopped' })).toEqual([]);
    expect(await find(search, { heldBy: 'none' })).toEqual(found);
    expect(await find(search, { heldBy: 'any' })).toEqual([]);
  });

  it.each([
    ['42', ['in_1001', 'in_1002', 'in_dinar']],
    ['42.00', ['in_1001', 'in_1002', 'in_dinar']],
    ['€42.00', ['in_1001', 'in_1002', 'in_dinar']],
    ['42 EUR', ['in_1001']],
    ['42.000', ['in_dinar']],
    ['4200', ['in_yen']],
    ['1,200.50', ['other']],
    ['1.200,50 €', ['other']],
    ['1.200,50', ['other']],
    ['1\u202f200,50', ['other']],
    ['1’200.50', ['other']],
    ['42,00 EUR', ['in_1001']],
    ['4,2', []],
    ['43', []],
  ])('finds by an amount in its currency’s decimals: %s', async (search, found) => {
    expect(await find(search)).toEqual(found);
  });

  it('finds a disputed card by its last four digits', async () => {
    expect(await find('4242')).toEqual(['in_yen']);
    expect(await find('4243')).toEqual([]);
  });

  it.each([
    ['invoice_id', 'in_1001', 'in_1001'],
    ['customer_id', 'cus_in_1002', 'in_1002'],
    ['customer_id', 'pcus_in_dinar', 'in_dinar'],
    ['charge_id', 'ch_other', 'other'],
  ])(
    'finds by an e-mail address that a checkout captured, through its %s',
    async (column, id, found) => {
      await seedCapture(`ana_${found}`, column, id);
      // The disputed one is of the same payer.
      expect(await find('ann@example.com')).toEqual([found, 'in_yen'].sort());
      expect(await find('bob@example.com')).toEqual([]);
      await db.pool.query('delete from analytics');
    },
  );

  it('is read page by page, each payment once', async () => {
    const deps = { db, hashEmail: async () => '' };
    const first = await findPayments(deps, { search: 'in_100', limit: 1 });
    const cursor = first.nextCursor ?? expect.fail('a cursor');
    const second = await findPayments(deps, { search: 'in_100', limit: 1, cursor });
    const ids = [...first.items, ...second.items].map(({ invoiceId }) => invoiceId);
    expect(ids.sort()).toEqual(['in_1001', 'in_1002']);
    expect(second.nextCursor).toBeUndefined();
  });
});
