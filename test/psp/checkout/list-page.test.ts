import { describe, expect, it } from 'vitest';
import { listCheckoutCharges } from '../../../src/psp/checkout/list-charges.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost, refused } from '../watched.ts';

const from = new Date('2026-11-02T09:00:00.000Z');
const to = new Date('2026-11-02T10:00:00.000Z');
const payment = {
  id: 'pay_1',
  requested_on: '2026-11-02T09:30:00Z',
  currency: 'EUR',
  amount: 1_999,
  reference: 'key-1',
  status: 'Captured',
};
const charge = {
  pspTransactionId: 'pay_1',
  idempotencyKey: 'key-1',
  state: 'succeeded',
  amountMinor: 1_999,
  currency: 'EUR',
  createdAt: new Date('2026-11-02T09:30:00Z'),
};

async function page(sent: Watched<unknown>, cursor?: string) {
  const asked: unknown[] = [];
  const call = async (what: unknown) => {
    asked.push(what);
    return sent;
  };
  const request = { merchantId: 'mer_1', from, to, ...(cursor !== undefined && { cursor }) };
  const listed = await listCheckoutCharges({ search: call, searchOn: call }, request);
  return { listed, asked };
}

const chargesOf = async (...payments: readonly object[]) => {
  const { listed } = await page(answered({ data: payments }));
  return listed.kind === 'page' ? listed.charges : listed.kind;
};

describe('a page of payments at Checkout.com', () => {
  it('is asked for by its time, and the next one by its link', async () => {
    const next = { href: 'https://api.checkout.com/payments/search/se_1?token=a.b~c-1' };
    const first = await page(answered({ data: [payment], _links: { next } }));
    expect(first.asked).toEqual([{ from: from.toISOString(), to: to.toISOString(), limit: 500 }]);
    const nextCursor = 'search/se_1?token=a.b~c-1';
    expect(first.listed).toEqual({ kind: 'page', charges: [charge], nextCursor });
    const second = await page(answered({ data: [] }), nextCursor);
    expect(second).toEqual({ listed: { kind: 'page', charges: [] }, asked: [nextCursor] });
  });

  it.each([
    'https://api.checkout.com/payments/search/se_1?token=a&more=b',
    'https://api.checkout.com/payments/search/?token=a',
    'https://api.checkout.com/payments/search/se_1?token=',
    'https://api.checkout.com/payments/search/se/1?token=a',
    'https://api.checkout.com/search/se_1?token=a',
  ])('has no next one at %s', async (href) => {
    const { listed } = await page(answered({ data: [], _links: { next: { href } } }));
    expect(listed).toMatchObject({ kind: 'unavailable', reason: expect.stringContaining('next') });
  });

  it.each([
    ['authorized', 'succeeded'],
    ['Captured', 'succeeded'],
    ['PAID', 'succeeded'],
    ['Partially Captured', 'succeeded'],
    ['Partially Refunded', 'succeeded'],
    ['Refunded', 'succeeded'],
    ['Voided', 'succeeded'],
    ['Declined', 'declined'],
    ['Canceled', 'declined'],
    ['Expired', 'declined'],
    ['Pending', 'pending'],
    [undefined, 'pending'],
  ])('has a payment that is %s as %s', async (status, state) => {
    expect(await chargesOf({ ...payment, status })).toMatchObject([{ state }]);
  });

  it('has what was given back: a part, or all of what was voided', async () => {
    const refunded = { ...payment, balances: { total_refunded: 500 } };
    expect(await chargesOf(refunded)).toEqual([{ ...charge, refundedMinor: 500 }]);
    expect(await chargesOf({ ...refunded, status: 'Voided' })).toEqual([
      { ...charge, refundedMinor: 1_999 },
    ]);
    for (const total_refunded of [0, -1, '500']) {
      expect(await chargesOf({ ...payment, balances: { total_refunded } })).toEqual([charge]);
    }
    const pesos = { ...refunded, currency: 'CLP', amount: 50_000 };
    expect(await chargesOf(pesos)).toMatchObject([{ amountMinor: 500, refundedMinor: 5 }]);
  });

  it('has a payment without a reference, which is not ours', async () => {
    const { idempotencyKey: _, ...foreign } = charge;
    expect(await chargesOf({ ...payment, reference: undefined })).toEqual([foreign]);
  });

  it.each([
    ['id', ''],
    ['requested_on', 'soon'],
    ['currency', 978],
    ['amount', '1999'],
    ['amount', 19.5],
  ])('is not read where a payment has the %s %j', async (field, value) => {
    expect(await chargesOf(payment, { ...payment, [field]: value })).toBe('unavailable');
  });

  it('is unavailable, with the reason, where Checkout.com does not give it', async () => {
    expect((await page(refused(403))).listed).toEqual({
      kind: 'unavailable',
      reason: 'the key may not search payments: give it payments:search',
    });
    expect((await page(refused(401))).listed).toMatchObject({
      reason: expect.stringContaining('HTTP 401'),
    });
    expect((await page(lost)).listed).toEqual({ kind: 'unavailable', reason: lost.reason });
    expect((await page(answered('no object'))).listed).toMatchObject({ kind: 'unavailable' });
  });
});
