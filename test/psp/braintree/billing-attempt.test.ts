import { describe, expect, it } from 'vitest';
import {
  billingAttempt,
  billingInvoiceId,
  latestTransaction,
} from '../../../src/psp/braintree/billing-attempt.ts';
import { sale } from './sales.ts';

it.each([
  [
    'the period of its transaction',
    { id: 'sub_1', billingPeriodStartDate: '2026-02-01' },
    { id: 'tx_1', subscription: { billingPeriodStartDate: '2026-03-01' } },
    'sub_1:2026-03-01',
  ],
  [
    'its own period',
    { id: 'sub_1', billingPeriodStartDate: '2026-02-01', currentBillingCycle: 3 },
    { id: 'tx_1' },
    'sub_1:2026-02-01',
  ],
  ['its cycle', { id: 'sub_1', currentBillingCycle: 3 }, { id: 'tx_1' }, 'sub_1:cycle-3'],
  ['its transaction', { id: 'sub_1', currentBillingCycle: 3.5 }, { id: 'tx_1' }, 'sub_1:tx_1'],
  ['its transaction', { id: 'sub_1', currentBillingCycle: '3' }, { id: 'tx_1' }, 'sub_1:tx_1'],
])('an invoice of Braintree is a subscription with %s', (_what, subscription, transaction, id) => {
  expect(billingInvoiceId(subscription, transaction)).toBe(id);
});

it('a subscription without an id has no invoice', () => {
  expect(billingInvoiceId({ currentBillingCycle: 3 }, { id: 'tx_1' })).toBeUndefined();
});

describe('a billing attempt of Braintree', () => {
  const subscription = { id: 'sub_1', planId: 'plan_1' };
  const attempt = (change: object = {}, ofSubscription: object = {}) =>
    billingAttempt({
      subscription: { ...subscription, ...ofSubscription },
      transaction: { ...sale, ...change },
      occurredAt: new Date('2026-11-02T10:00:00Z'),
      success: false,
    });

  it.each([
    [{ paymentInstrumentType: 'paypal_account' }, 'paypal'],
    [{ creditCard: { prepaid: 'Yes', debit: 'Yes' } }, 'prepaid'],
    [{ creditCard: { prepaid: 'No', debit: 'Yes' } }, 'debit'],
    [{ creditCard: { debit: 'No' } }, 'credit'],
    [{ creditCard: { debit: 'Unknown' } }, 'unknown'],
    [{}, 'unknown'],
  ])('of %j was paid by %s', (change, source) => {
    expect(attempt(change)?.transactions[0]).toMatchObject({ funding_source: source });
  });

  it.each([
    ['123456', '123456'],
    ['12345678', '12345678'],
    ['12345', undefined],
    ['123456789', undefined],
    ['x123456', undefined],
  ])('with the bin %s has %j', (bin, expected) => {
    expect(attempt({ creditCard: { bin } })?.transactions[0]?.bin).toBe(expected);
  });

  it('says what the network said, before what the processor said', () => {
    const words = { processorResponseText: 'Declined', processorResponseType: 'soft_declined' };
    const outcomeOf = (change: object) => attempt(change)?.transactions[0]?.outcome;
    expect(
      outcomeOf({ ...words, networkResponseCode: '51', networkResponseText: 'NSF' }),
    ).toMatchObject({
      raw_response_message: '51 : NSF',
      psp_response_message: 'Declined',
      response_type: 'soft_decline',
    });
    expect(outcomeOf(words)).toMatchObject({ raw_response_message: 'Declined' });
    expect(outcomeOf({ processorResponseType: 'hard_declined' })).toMatchObject({
      raw_response_message: 'unknown',
      response_type: 'hard_decline',
    });
    expect(outcomeOf({})).not.toHaveProperty('response_type');
  });

  it('is of the method that was charged, else the subscription’s, else an unknown one', () => {
    const methodOf = (...input: Parameters<typeof attempt>) =>
      attempt(...input)?.transactions[0]?.payment_method_id;
    for (const name of ['creditCard', 'paypalAccount', 'applePayCard', 'androidPayCard']) {
      expect(methodOf({ [name]: { token: `t_${name}` } })).toBe(`t_${name}`);
    }
    expect(methodOf({}, { paymentMethodToken: 't_sub' })).toBe('t_sub');
    expect(methodOf()).toBe('unknown');
  });

  it('has a customer, a start and a date, as far as they are said', () => {
    expect(attempt()).toMatchObject({
      customer: { id: 'unknown' },
      subscription: { id: 'sub_1', product_id: 'plan_1', start_date: '2026-11-02T10:00:00.000Z' },
      invoice: { id: 'sub_1:tx_1', created_at: '2026-11-02T09:00:00.000Z' },
    });
    expect(attempt()?.customer).not.toHaveProperty('psp_id');
    const dated = attempt(
      { customer: { id: 'c_1' }, createdAt: undefined },
      { createdAt: '2026-01-01', billingPeriodStartDate: '2026-10-01' },
    );
    expect(dated).toMatchObject({
      customer: { id: 'c_1', psp_id: 'c_1' },
      subscription: { start_date: '2026-01-01T00:00:00.000Z' },
      invoice: { created_at: '2026-10-01T00:00:00.000Z' },
      transactions: [{ psp_transaction_created_at: '2026-11-02T10:00:00.000Z' }],
    });
    const firstBillingDate = '2026-02-01';
    expect(attempt({}, { firstBillingDate })?.subscription.start_date).toBe(
      '2026-02-01T00:00:00.000Z',
    );
  });

  it('is none without a subscription’s id, a transaction’s or money', () => {
    expect(attempt({}, { id: '' })).toBeUndefined();
    expect(attempt({ id: '' })).toBeUndefined();
    expect(attempt({ amount: 'x' })).toBeUndefined();
  });

  it('is of the newest of its transactions', () => {
    const [older, newer] = [{ createdAt: '2026-01-01' }, { createdAt: '2026-02-01' }];
    expect(latestTransaction({ transactions: [older, newer, 'x', {}] })).toBe(newer);
    expect(latestTransaction({ transactions: [newer, older] })).toBe(newer);
    for (const transactions of [undefined, 'x', []])
      expect(latestTransaction({ transactions })).toBeUndefined();
    expect(latestTransaction(undefined)).toBeUndefined();
  });
});
