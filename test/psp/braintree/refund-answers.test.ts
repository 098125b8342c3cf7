import { describe, expect, it } from 'vitest';
import type { BraintreeClient, SaleAnswer } from '../../../src/psp/braintree/client.ts';
import { findSubscription } from '../../../src/psp/braintree/find-subscription.ts';
import { refundBraintree } from '../../../src/psp/braintree/refund.ts';
import type { Watched } from '../../../src/psp/watched-call.ts';
import { answered, lost, notSent, refused } from '../watched.ts';

const request = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  pspTransactionId: 'tx_1',
  idempotencyKey: 'refund-1',
  amountMinor: 1_223,
  currency: 'USD',
};
const settled = { id: 'tx_1', status: 'settled', amount: '12.23', currencyIsoCode: 'USD' };
const made = { id: 're_1', orderId: 'refund-1', status: 'submitted_for_settlement' };

function saleAnswer(transaction: unknown, success = true, status = 201): Watched<SaleAnswer> {
  return answered({ success, transaction } as SaleAnswer, status);
}

async function refund(
  records: Readonly<Record<string, Watched<unknown>>>,
  options: { readonly sent?: Watched<SaleAnswer>; readonly change?: Partial<typeof request> } = {},
) {
  const { sent = saleAnswer(made), change } = options;
  const calls: unknown[] = [];
  const client = {
    find: async (id: string) => records[id] ?? refused(404),
    refund: async (...what: unknown[]) => {
      calls.push(['refund', ...what]);
      return sent;
    },
    void: async (...what: unknown[]) => {
      calls.push(['void', ...what]);
      return sent;
    },
  };
  return { result: await refundBraintree(client, { ...request, ...change }), calls };
}

const of = (change: object = {}) => ({ tx_1: answered({ ...settled, ...change }) });

describe('a refund at Braintree', () => {
  it.each(['settled', 'settling'])(
    'of what is %s is a transaction with our key',
    async (status) => {
      const part = { change: { amountMinor: 500 } };
      expect(await refund(of({ status }), part)).toEqual({
        result: { kind: 'pending', refundId: 're_1' },
        calls: [['refund', 'tx_1', { amount: '5.00', orderId: 'refund-1' }]],
      });
    },
  );

  it.each(['authorized', 'submitted_for_settlement', 'settlement_pending'])(
    'of what is %s is a void, of the whole alone',
    async (status) => {
      const sent = saleAnswer({ id: 'tx_1', status: 'voided' });
      expect(await refund(of({ status }), { sent })).toEqual({
        result: { kind: 'refunded', refundId: 'tx_1' },
        calls: [['void', 'tx_1']],
      });
      const { result, calls } = await refund(of({ status }), {
        sent,
        change: { amountMinor: 1_222 },
      });
      expect(result).toEqual({
        kind: 'refused',
        reason: expect.stringContaining('only as a whole'),
      });
      expect(calls).toEqual([]);
    },
  );

  it('of what was voided was made already', async () => {
    expect(await refund(of({ status: 'voided' }))).toEqual({
      result: { kind: 'refunded', refundId: 'tx_1' },
      calls: [],
    });
  });

  it.each([
    ['what was declined', { status: 'processor_declined' }, {}, 'No money'],
    ['more than was taken', {}, { amountMinor: 1_224 }, 'over less'],
    ['another currency', {}, { currency: 'EUR' }, 'another currency'],
  ])('of %s is refused', async (_what, transaction, change, words) => {
    const { result, calls } = await refund(of(transaction), { change });
    expect(result).toEqual({ kind: 'refused', reason: expect.stringContaining(words) });
    expect(calls).toEqual([]);
  });

  it.each([
    ['of another transaction', of({ id: 'tx_2' })],
    ['without an amount', of({ amount: '' })],
    ['of nothing', { tx_1: answered('x') }],
  ])('is not known after a record %s', async (_what, records) => {
    const { result, calls } = await refund(records);
    expect(result).toEqual({ kind: 'unknown', reason: expect.stringContaining('understood') });
    expect(calls).toEqual([]);
  });

  it.each([
    [401, 'refused'],
    [403, 'refused'],
    [404, 'refused'],
    [429, 'unknown'],
    [500, 'unknown'],
  ])('is, after %i, %s', async (status, kind) => {
    expect((await refund({ tx_1: refused(status) })).result.kind).toBe(kind);
    expect((await refund(of(), { sent: refused(status) })).result.kind).toBe(kind);
  });

  it('is not known where its answer was lost', async () => {
    expect((await refund(of(), { sent: lost })).result).toEqual({
      kind: 'unknown',
      reason: lost.reason,
    });
    expect((await refund({ tx_1: notSent })).result.kind).toBe('unknown');
  });

  it.each([
    // Somebody took the refund back before it was settled: its money stayed.
    ['voided', 'refused'],
    ['settled', 'refunded'],
    ['submitted_for_settlement', 'pending'],
    ['settling', 'pending'],
    ['settlement_pending', 'pending'],
    ['processor_declined', 'refused'],
    ['gateway_rejected', 'refused'],
    ['failed', 'refused'],
    ['settlement_declined', 'refused'],
    ['brand_new', 'unknown'],
  ])('with our key that is %s is not made again, but %s', async (status, kind) => {
    const earlier = {
      ...of({ refundIds: ['re_0', 're_1'] }),
      re_0: answered({ id: 're_0', orderId: 'x' }),
    };
    const { result, calls } = await refund({ ...earlier, re_1: answered({ ...made, status }) });
    expect(result.kind).toBe(kind);
    if ('reason' in result) expect(result.reason).toMatch(/refund/);
    else expect(result).toEqual({ kind, refundId: 're_1' });
    expect(calls).toEqual([]);
  });

  it('is made beside those with other keys', async () => {
    const records = {
      ...of({ refundIds: ['re_0'] }),
      re_0: answered({ id: 're_0', orderId: 'x' }),
    };
    expect((await refund(records)).calls).toHaveLength(1);
    expect((await refund(of({ refundIds: 're_0' }))).calls).toHaveLength(1);
  });

  it.each([
    ['of another order', saleAnswer({ ...made, orderId: 'refund-2' }), 'unknown'],
    ['without an id', saleAnswer({ ...made, id: '' }), 'unknown'],
    ['without a transaction', saleAnswer(undefined), 'unknown'],
    ['of a fault', saleAnswer(undefined, false, 422), 'refused'],
    ['of a fault that succeeded', saleAnswer(undefined, true, 422), 'unknown'],
    ['of a fault with another status', saleAnswer(undefined, false, 200), 'unknown'],
  ])('is, after an answer %s, %s', async (_what, sent, kind) => {
    const { result } = await refund(of(), { sent });
    expect(result).toEqual({ kind, reason: expect.stringMatching(/Braintree/) });
  });
});

describe('the subscription of a transaction at Braintree', () => {
  const find = (sent: Watched<unknown>) => {
    const client = { find: async () => sent } as Partial<BraintreeClient> as BraintreeClient;
    return findSubscription({ client }, { pspTransactionId: 'tx_1' });
  };

  it('is named by it, or is none', async () => {
    expect(await find(answered({ id: 'tx_1', subscriptionId: 'sub_1' }))).toEqual({
      kind: 'found',
      pspInvoiceId: 'sub_1',
    });
    expect(await find(answered({ id: 'tx_1' }))).toEqual({ kind: 'none' });
    expect(await find(refused(404))).toEqual({ kind: 'not_known' });
  });

  it('is unknown after another answer, or none', async () => {
    for (const sent of [
      answered({ id: 'tx_2', subscriptionId: 'sub_1' }),
      answered('x'),
      refused(500),
      lost,
    ]) {
      expect(await find(sent)).toEqual({ kind: 'unknown', reason: expect.stringMatching(/.{10}/) });
    }
  });
});
