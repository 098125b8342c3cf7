import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moneyOf, stripeAmount } from '../../../src/psp/stripe/amounts.ts';

describe('an amount at Stripe', () => {
  it.each([
    ['USD', 1_223, 1_223],
    ['JPY', 500, 500],
    ['KWD', 5_120, 5_120],
    ['ISK', 5, 500],
    ['UGX', 5, 500],
    ['HUF', 1_045, 1_045],
    ['TWD', 1_000, 1_000],
    ['MGA', 500, 5],
  ])('of %s %i is %i', (currency, amountMinor, amount) => {
    expect(stripeAmount({ amountMinor, currency })).toEqual({
      kind: 'amount',
      amount,
      currency: currency.toLowerCase(),
    });
  });

  it.each([
    ['KWD', 5_124],
    ['TND', 1],
    ['MGA', 101],
    ['USD', 0],
  ])('does not exist for %s %i', (currency, amountMinor) => {
    expect(stripeAmount({ amountMinor, currency })).toMatchObject({ kind: 'not_taken' });
  });

  it('comes back as the money that it was made of', () => {
    const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'KWD', 'ISK', 'UGX', 'MGA', 'HUF');
    fc.assert(
      fc.property(currencies, fc.integer({ min: 1, max: 999_999_999_999 }), (currency, minor) => {
        const money = { amountMinor: minor, currency };
        const sent = stripeAmount(money);
        fc.pre(sent.kind === 'amount');
        expect(moneyOf(sent.amount, sent.currency)).toEqual(money);
      }),
    );
  });

  it('that the currency does not know is no money', () => {
    expect(moneyOf(1_050, 'isk')).toBeUndefined();
  });
});
