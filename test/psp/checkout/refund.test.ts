import { describe, expect, it } from 'vitest';
import { refundCheckout } from '../../../src/psp/checkout/refund.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost, notSent, refused } from '../watched.ts';

const request = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  pspTransactionId: 'pay_1',
  amountMinor: 500,
  currency: 'EUR',
  idempotencyKey: 'refund-1',
};
const made = answered({ action_id: 'act_1', reference: 'refund-1' });

async function refund(
  actions: Watched<unknown>,
  sent: Watched<unknown> = made,
  change: Partial<typeof request> = {},
) {
  const asked: unknown[] = [];
  const client = {
    actions: async () => actions,
    refund: async (...what: unknown[]) => {
      asked.push(what);
      return sent;
    },
  };
  return { result: await refundCheckout(client, { ...request, ...change }), asked };
}

const earlier = (more: object) =>
  answered([{ type: 'Refund', reference: 'refund-1', id: 'act_0', ...more }]);

describe('a refund at Checkout.com', () => {
  it('is asked for under its key, and is pending', async () => {
    const { result, asked } = await refund(answered([]));
    expect(result).toEqual({ kind: 'pending', refundId: 'act_1' });
    expect(asked).toEqual([['pay_1', { amount: 500, reference: 'refund-1' }, 'refund-1']]);
  });

  it.each([
    ['made', { approved: true }, { kind: 'refunded', refundId: 'act_0' }],
    [
      'declined',
      { approved: false },
      { kind: 'refused', reason: 'Checkout.com declined the refund.' },
    ],
    ['under way', {}, { kind: 'pending', refundId: 'act_0' }],
    ['without an id', { id: '' }, { kind: 'unknown', reason: expect.any(String) }],
  ])('that the record has already is not asked for again: %s', async (_what, action, expected) => {
    const { result, asked } = await refund(earlier(action));
    expect(result).toEqual(expected);
    expect(asked).toEqual([]);
  });

  it.each([
    ['another refund', { reference: 'refund-0' }],
    ['another action with this reference', { type: 'Capture' }],
  ])('is asked for beside %s', async (_what, action) => {
    expect((await refund(earlier(action))).asked).toHaveLength(1);
    expect((await refund(answered(['nothing', null]))).asked).toHaveLength(1);
  });

  it.each([
    ['an amount of nothing', { amountMinor: 0 }],
    ['an id of nothing', { pspTransactionId: '' }],
    ['an id that leads elsewhere', { pspTransactionId: 'pay_1/../x' }],
    ['an id with a blank before it', { pspTransactionId: ' pay_1' }],
  ])('of %s is refused before anything is asked', async (_what, change) => {
    const { result, asked } = await refund(answered([]), made, change);
    expect(result).toEqual({ kind: 'refused', reason: expect.stringMatching(/.{10}/) });
    expect(asked).toEqual([]);
  });

  it.each([
    ['of no list', answered({}), made],
    ['without an id', answered([]), answered({ reference: 'refund-1' })],
    ['to another refund', answered([]), answered({ action_id: 'act_1', reference: 'refund-2' })],
    ['of nothing', answered([]), answered('')],
  ])('is not known after an answer %s', async (_what, actions, sent) => {
    const { result } = await refund(actions, sent);
    expect(result).toEqual({ kind: 'unknown', reason: expect.stringContaining('understood') });
  });

  it.each([400, 401, 403, 404])(
    'is refused where Checkout.com refuses it with %i',
    async (status) => {
      expect((await refund(refused(status))).result.kind).toBe('refused');
      expect((await refund(answered([]), refused(status))).result.kind).toBe('refused');
    },
  );

  it.each([
    ['429', refused(429)],
    ['500', refused(500)],
    ['a lost answer', lost],
    ['nobody there', notSent],
  ])('is not known after %s', async (_what, sent) => {
    const first = await refund(sent);
    expect(first.result.kind).toBe('unknown');
    expect(first.asked).toEqual([]);
    expect((await refund(answered([]), sent)).result.kind).toBe('unknown');
  });
});
