import { expect, it } from 'vitest';
import { refundBraintree } from '../../../src/psp/braintree/refund.ts';

const request = {
  merchantId: 'mer_1',
  invoiceId: 'in_1',
  pspTransactionId: 'tx_1',
  idempotencyKey: 'key_1',
  amountMinor: 1_223,
  currency: 'USD',
};
const settled = { id: 'tx_1', status: 'settled', amount: '12.23', currencyIsoCode: 'USD' };

it('a refund whose earlier ones cannot be read is not made again: it is unknown', async () => {
  const refunds: string[] = [];
  const client = {
    async find(id: string) {
      if (id !== 'tx_1') return { kind: 'lost', reason: 'no answer within 5 ms' } as const;
      const value = { ...settled, refundIds: ['re_1'] };
      return { kind: 'answered', status: 200, value } as const;
    },
    async refund(id: string) {
      refunds.push(id);
      return { kind: 'lost', reason: 'it was not to be sent' } as const;
    },
    async void() {
      return { kind: 'lost', reason: 'it was not to be sent' } as const;
    },
  };
  expect(await refundBraintree(client, request)).toEqual({
    kind: 'unknown',
    reason: expect.stringContaining('no answer within 5 ms'),
  });
  expect(refunds).toEqual([]);
});
