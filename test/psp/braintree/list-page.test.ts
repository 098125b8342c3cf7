import { describe, expect, it } from 'vitest';
import { listBraintreeCharges } from '../../../src/psp/braintree/list-charges.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost } from '../watched.ts';
import { duplicate, sale, told } from './sales.ts';

describe('a page of sales at Braintree', () => {
  const from = new Date(1_000);
  const to = new Date(5_000);
  const page = async (
    read: Watched<readonly unknown[]>,
    options: { ids?: readonly string[]; cursor?: string } = {},
  ) => {
    const { ids = ['tx_1'], cursor } = options;
    const searched: unknown[] = [];
    const client = {
      searchCreated: async (place: { readonly from: Date; readonly to: Date }) => {
        searched.push([place.from.getTime(), place.to.getTime()]);
        return answered(ids);
      },
      findMany: async () => read,
    };
    const asked = { merchantId: 'mer_1', from, to, ...(cursor !== undefined && { cursor }) };
    return { listed: await listBraintreeCharges(client, asked), searched };
  };
  const charge = {
    pspTransactionId: 'tx_1',
    idempotencyKey: 'key-1',
    state: 'succeeded',
    ...told,
    createdAt: new Date(sale.createdAt),
  };

  it.each([
    ['settled', {}, { state: 'succeeded' }],
    ['voided', { status: 'voided' }, { state: 'succeeded', refundedMinor: 1_223 }],
    ['declined', { status: 'processor_declined' }, { state: 'declined' }],
    ['a repetition', duplicate, { state: 'pending' }],
    [
      'declined and tried again',
      { status: 'processor_declined', retryIds: ['tx_2'] },
      { state: 'pending' },
    ],
    [
      'a declined try of another',
      { status: 'processor_declined', retriedTransactionId: 'tx_0' },
      { state: 'pending' },
    ],
    [
      'declined until it is tried again',
      { status: 'settlement_declined', upcomingRetryDate: '2026-11-05' },
      { state: 'pending' },
    ],
    ['authorized', { status: 'authorized' }, { state: 'pending' }],
    ['of a subscription', { subscriptionId: 'sub_1' }, { pspInvoiceId: 'sub_1:tx_1' }],
  ])('has a sale that is %s', async (_what, change, expected) => {
    const { listed } = await page(answered([{ ...sale, ...change }]));
    expect(listed).toEqual({ kind: 'page', charges: [{ ...charge, ...expected }] });
  });

  it('leaves out what is no sale', async () => {
    const { listed } = await page(answered([{ ...sale, type: 'credit' }, 'x', sale]));
    expect(listed).toEqual({ kind: 'page', charges: [charge] });
  });

  it.each([
    ['id', ''],
    ['createdAt', 'soon'],
    ['amount', 12],
  ])('is not read where a sale has the %s %j', async (field, value) => {
    const { listed } = await page(answered([sale, { ...sale, [field]: value }]));
    expect(listed).toMatchObject({
      kind: 'unavailable',
      reason: expect.stringContaining('understood'),
    });
  });

  it('goes on where the cursor says, and from the beginning where it says nothing', async () => {
    const ids = Array.from({ length: 120 }, (_, index) => `tx_${index}`);
    expect((await page(answered([]), { ids })).listed).toEqual({
      kind: 'page',
      charges: [],
      nextCursor: '1000.5000.50',
    });
    const second = await page(answered([]), { ids, cursor: '2000.3000.100' });
    expect(second).toEqual({
      listed: { kind: 'page', charges: [], nextCursor: '3000.5000.0' },
      searched: [[2_000, 3_000]],
    });
    for (const cursor of ['x2000.3000.50', '2000.3000.50x', '2000.3000', '..']) {
      expect((await page(answered([]), { cursor })).searched).toEqual([[1_000, 5_000]]);
    }
  });

  it('halves a time with too many transactions, down to a second', async () => {
    const ids = Array.from({ length: 10_001 }, (_, index) => `tx_${index}`);
    const { searched } = await page(answered([]), { ids });
    expect(searched).toEqual([
      [1_000, 5_000],
      [1_000, 3_000],
      [1_000, 2_000],
    ]);
    expect((await page(answered([]), { ids: ids.slice(1) })).searched).toHaveLength(1);
  });

  it('is unavailable where its sales cannot be read, and empty where it has none', async () => {
    expect((await page(lost)).listed).toEqual({ kind: 'unavailable', reason: lost.reason });
    expect((await page(lost, { ids: [] })).listed).toEqual({ kind: 'page', charges: [] });
  });
});
