import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { OperatorListPayments } from '../../../src/recovery/reports/operator-views.ts';
import type { Database } from '../../../src/store/database.ts';
import { listOperatorPayments } from '../../../src/store/reports/operator-payments.ts';
import { openReportDatabase } from './report-database.ts';
import { minute, seedAttempt, seedMerchant, seedPayment, seedReport } from './seed.ts';

let db: Database;
beforeAll(async () => {
  db = await openReportDatabase();
  for (const merchantId of ['mer_a', 'mer_b']) {
    await seedMerchant(db, merchantId);
    for (let index = 0; index < 7; index += 1) {
      const state = index % 2 === 0 ? 'scheduled' : 'exhausted';
      // Pairs of one moment, within a merchant and between the two.
      const created_at = minute(10 + (index >> 1));
      await seedPayment(db, { merchantId, invoiceId: `in_${index}`, state, created_at });
    }
  }
  await seedPayment(db, {
    merchantId: 'mer_b',
    invoiceId: 'in_found',
    customer_id: 'cus_x',
    psp_customer_id: 'pcus_x',
    subscription_id: 'sub_x',
    transaction_id: 'tra_x',
    original_psp_transaction_id: 'ch_x',
    state: 'stopped',
    stop_reason: 'merchant_stop',
    stop_detail: 'asked for',
    created_at: minute(5),
    updated_at: minute(6),
    attempt_count: 2,
  });
  const attempt = { merchantId: 'mer_b', invoiceId: 'in_found' };
  await seedReport(db, {
    ...attempt,
    customerId: 'cus_x',
    pspCustomerId: 'pcus_x',
    subscriptionId: 'sub_x',
    transactionId: 'tra_x',
    pspTransactionId: 'ch_x',
  });
  await seedAttempt(db, { ...attempt, number: 1, state: 'declined' });
  await seedAttempt(db, { ...attempt, number: 2, state: 'declined' });
});
afterAll(() => db.close());

const idsOf = (page: { items: readonly { merchantId: string; invoiceId: string }[] }) =>
  page.items.map(({ merchantId, invoiceId }) => `${merchantId}/${invoiceId}`);

/** Everything that a list gives, page by page. */
async function readAll(input: Omit<OperatorListPayments, 'limit'>, limit: number) {
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const at = cursor === undefined ? {} : { cursor };
    const page = await listOperatorPayments(db, { ...input, ...at, limit });
    expect(page.items.length).toBeLessThanOrEqual(limit);
    seen.push(...idsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return seen;
}

describe('the list of payments', () => {
  it.each([1, 2, 3, 5, 200])(
    'gives all merchants’, newest first, each once, by %d',
    async (limit) => {
      const { rows } = await db.pool.query<{ id: string }>(
        `select merchant_id || '/' || invoice_id as id from payments
       order by created_at desc, merchant_id desc, invoice_id desc`,
      );
      expect(rows).toHaveLength(15);
      expect(await readAll({}, limit)).toEqual(rows.map(({ id }) => id));
    },
  );

  it.each([1, 4])('gives those of one merchant and one state, by %d', async (limit) => {
    expect(await readAll({ merchantIds: ['mer_a'], status: 'exhausted' }, limit)).toEqual([
      'mer_a/in_5',
      'mer_a/in_3',
      'mer_a/in_1',
    ]);
  });

  it('tells those that wait for an attempt from those that wait for the customer', async () => {
    const merchantId = 'mer_waits';
    await seedMerchant(db, merchantId);
    await seedPayment(db, { merchantId, invoiceId: 'in_wait', due_action: 'expire' });
    await seedPayment(db, { merchantId, invoiceId: 'in_next', due_action: 'attempt' });
    await seedPayment(db, { merchantId, invoiceId: 'in_end', state: 'exhausted' });
    try {
      for (const by of [{ merchantId }, { search: 'in_wait' }]) {
        expect(await readAll({ ...by, waitingFor: 'customer' }, 1)).toEqual(['mer_waits/in_wait']);
      }
      expect(await readAll({ merchantIds: [merchantId], waitingFor: 'attempt' }, 5)).toEqual([
        'mer_waits/in_next',
      ]);
      expect(await readAll({ search: 'in_wait', waitingFor: 'attempt' }, 5)).toEqual([]);
      const status = { merchantId, status: 'recovered' } as const;
      expect(await readAll({ ...status, waitingFor: 'customer' }, 5)).toEqual([]);
    } finally {
      await db.pool.query('delete from payments where merchant_id = $1', [merchantId]);
      await db.pool.query('delete from merchants where merchant_id = $1', [merchantId]);
    }
  });

  it('tells what holds payments from what nothing holds, in a list and in a search', async () => {
    const merchantId = 'mer_holds';
    await seedMerchant(db, merchantId);
    const seed = (invoiceId: string, columns: Readonly<Record<string, unknown>>) =>
      seedPayment(db, { merchantId, invoiceId, customer_id: 'cus_holds', ...columns });
    const aside = { set_aside_at: minute(3), set_aside_reason: 'down', next_attempt_at: null };
    await seed('in_free', {});
    await seed('in_frozen', { frozen_at: minute(2), next_attempt_at: null });
    await seed('in_aside', aside);
    await seed('in_both', { ...aside, frozen_at: minute(2) });
    await seed('in_wait', { due_action: 'expire' });
    // What is over is held by nothing, though its incident be open.
    await seed('in_over', { state: 'exhausted', frozen_at: minute(2) });
    const idsBy = async (filters: Partial<OperatorListPayments>) => {
      const found = await readAll({ merchantIds: [merchantId], ...filters }, 1);
      return found.map((id) => id.split('/')[1]).sort();
    };
    try {
      for (const by of [{}, { search: 'cus_holds' }]) {
        expect(await idsBy({ ...by, heldBy: 'any' })).toEqual(['in_aside', 'in_both', 'in_frozen']);
        expect(await idsBy({ ...by, heldBy: 'incident' })).toEqual(['in_both', 'in_frozen']);
        expect(await idsBy({ ...by, heldBy: 'set_aside' })).toEqual(['in_aside']);
        expect(await idsBy({ ...by, heldBy: 'none' })).toEqual(['in_free', 'in_over', 'in_wait']);
        const scheduled = { status: 'scheduled', waitingFor: 'attempt', heldBy: 'none' } as const;
        expect(await idsBy({ ...by, ...scheduled })).toEqual(['in_free']);
        const waits = { waitingFor: 'customer', heldBy: 'none' } as const;
        expect(await idsBy({ ...by, ...waits })).toEqual(['in_wait']);
        expect(await idsBy({ ...by, status: 'exhausted', heldBy: 'any' })).toEqual([]);
      }
    } finally {
      await db.pool.query('delete from payments where merchant_id = $1', [merchantId]);
      await db.pool.query('delete from merchants where merchant_id = $1', [merchantId]);
    }
  });

  it('gives none for a merchant that is not there', async () => {
    expect(await listOperatorPayments(db, { merchantIds: ['mer_c'], limit: 5 })).toEqual({
      items: [],
    });
  });

  it('shows a payment with all that it has', async () => {
    const page = await listOperatorPayments(db, { search: 'in_found', limit: 5 });
    expect(page).toEqual({
      items: [
        {
          merchantId: 'mer_b',
          invoiceId: 'in_found',
          customerId: 'cus_x',
          status: 'stopped',
          stopReason: 'merchant_stop',
          stopDetail: 'asked for',
          amountMinor: 1_000,
          currency: 'EUR',
          failedAt: minute(0),
          windowEndsAt: minute(40_000),
          attemptCount: 2,
          createdAt: minute(5),
          updatedAt: minute(6),
        },
      ],
    });
  });

  it('shows the next attempt, and no other due time for one', async () => {
    const merchant = { merchantId: 'mer_a' };
    await seedPayment(db, { ...merchant, invoiceId: 'in_expire', due_action: 'expire' });
    const search = async (id: string) =>
      (await listOperatorPayments(db, { search: id, ...merchant, limit: 1 })).items[0];
    expect((await search('in_0'))?.nextAttemptAt).toEqual(minute(100));
    expect(await search('in_expire')).not.toHaveProperty('nextAttemptAt');
  });
});

describe('the search', () => {
  it.each([
    'in_found',
    'cus_x',
    'pcus_x',
    'sub_x',
    'tra_x',
    'ch_x',
    'ch_att_in_found_1',
    'ch_att_in_found_2',
  ])('finds a payment by %s', async (search) => {
    expect(await readAll({ search }, 10)).toEqual(['mer_b/in_found']);
    expect(await readAll({ search, merchantIds: ['mer_b', 'mer_a'] }, 10)).toEqual([
      'mer_b/in_found',
    ]);
    expect(await readAll({ search, merchantIds: ['mer_a'] }, 10)).toEqual([]);
    expect(await readAll({ search, status: 'stopped' }, 10)).toEqual(['mer_b/in_found']);
    expect(await readAll({ search, status: 'recovered' }, 10)).toEqual([]);
  });

  it('finds the same id at every merchant, page by page', async () => {
    expect(await readAll({ search: 'in_2' }, 1)).toEqual(['mer_b/in_2', 'mer_a/in_2']);
  });

  it.each(['in_', 'IN_2', 'in_2 ', '%', "'", ''])('is exact: %j finds none', async (search) => {
    expect(await readAll({ search }, 10)).toEqual([]);
  });
});
