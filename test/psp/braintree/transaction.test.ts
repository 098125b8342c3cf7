import { describe, expect, it } from 'vitest';
import { moneyOf, transactionResult } from '../../../src/psp/braintree/transaction.ts';
import { duplicate, request, sale, told } from './sales.ts';

describe('a transaction of Braintree', () => {
  const resultOf = (change: object) => transactionResult({ ...sale, ...change }, request);

  it.each([
    'submitted_for_settlement',
    'settling',
    'settlement_pending',
    'settlement_confirmed',
    'settled',
  ])('that is %s is a success', (status) => {
    expect(resultOf({ status })).toEqual({ kind: 'succeeded', pspTransactionId: 'tx_1', told });
  });

  it.each([
    'processor_declined',
    'gateway_rejected',
    'failed',
    'settlement_declined',
    'authorization_expired',
  ])('that is %s is a decline', (status) => {
    expect(resultOf({ status })).toMatchObject({
      kind: 'declined',
      pspTransactionId: 'tx_1',
      told,
    });
  });

  it.each([
    ['with no id', { id: '' }, 'without a transaction'],
    ['of another order', { orderId: 'key-2' }, 'another transaction'],
    ['that is a credit', { type: 'credit' }, 'another transaction'],
    ['without an amount', { amount: undefined }, 'without an amount'],
    ['that repeats another', duplicate, 'duplicate'],
    ['that is authorized', { status: 'authorized' }, 'the status authorized'],
    ['that is voided', { status: 'voided' }, 'the status voided'],
    ['without a status', { status: undefined }, 'the status none'],
  ])('%s says nothing certain', (_what, change, words) => {
    expect(resultOf(change)).toEqual({ kind: 'unknown', reason: expect.stringContaining(words) });
    expect(transactionResult(undefined, request)).toMatchObject({ kind: 'unknown' });
  });

  it('has at most forty letters of a status that is new', () => {
    const result = resultOf({ status: 's'.repeat(60) });
    expect(result).toMatchObject({ reason: `the transaction has the status ${'s'.repeat(40)}` });
  });

  it.each([
    [
      { amount: '12.23', currencyIsoCode: 'USD' },
      { amountMinor: 1_223, currency: 'USD' },
    ],
    [
      { amount: '12', currencyIsoCode: 'JPY' },
      { amountMinor: 12, currency: 'JPY' },
    ],
    [{ amount: '', currencyIsoCode: 'USD' }, undefined],
    [{ amount: 12.23, currencyIsoCode: 'USD' }, undefined],
    [{ amount: '12.23' }, undefined],
    [{ amount: '12.23', currencyIsoCode: 'usd' }, undefined],
    [{ amount: '12.23', currencyIsoCode: 'USDX' }, undefined],
    [{ amount: '12.23', currencyIsoCode: 'XUSD' }, undefined],
    [{ amount: 'much', currencyIsoCode: 'USD' }, undefined],
    [{ amount: '12.234', currencyIsoCode: 'USD' }, undefined],
  ])('has of %j the money %j', (transaction, money) => {
    expect(moneyOf(transaction)).toEqual(money);
  });
});
