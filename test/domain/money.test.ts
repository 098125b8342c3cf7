import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  currencyExponent,
  decimalNumber,
  decimalText,
  maxAmountMinor,
  minorFromDecimal,
} from '../../src/domain/money.ts';

const currencies = fc.constantFrom('USD', 'EUR', 'JPY', 'BHD');
const amounts = fc.oneof(
  fc.integer({ min: 0, max: 100_000 }),
  fc.integer({ min: 0, max: maxAmountMinor }),
);

describe('an amount at the edge', () => {
  it.each([
    [12.23, 'USD', 1223],
    [0.07, 'USD', 7],
    [1.1, 'EUR', 110],
    [12, 'USD', 1200],
    [0, 'USD', 0],
    [-0, 'USD', 0],
    [1223, 'JPY', 1223],
    [1.234, 'BHD', 1234],
    [4.35, 'USD', 435],
    [1.005, 'KWD', 1005],
    [9_999_999_999.99, 'USD', maxAmountMinor],
    [999_999_999_999, 'JPY', maxAmountMinor],
  ])('reads %d %s as %d minor units', (decimal, currency, amountMinor) => {
    expect(minorFromDecimal(decimal, currency)).toEqual({ amountMinor });
  });

  it.each([
    [0.1 + 0.2, 'USD', 'too_many_decimals'],
    [12.235, 'EUR', 'too_many_decimals'],
    [0.5, 'JPY', 'too_many_decimals'],
    [1.2345, 'BHD', 'too_many_decimals'],
    [1e-7, 'USD', 'too_many_decimals'],
    [Number.MIN_VALUE, 'USD', 'too_many_decimals'],
    [10_000_000_000, 'USD', 'too_large'],
    [1_000_000_000_000, 'JPY', 'too_large'],
    [Number.MAX_SAFE_INTEGER, 'JPY', 'too_large'],
    [1e21, 'USD', 'too_large'],
    [Number.MAX_VALUE, 'USD', 'too_large'],
    [-0.01, 'USD', 'negative'],
    [Number.NaN, 'USD', 'not_a_number'],
    [Number.POSITIVE_INFINITY, 'USD', 'not_a_number'],
  ])('refuses %d %s: %s', (decimal, currency, fault) => {
    expect(minorFromDecimal(decimal, currency)).toEqual({ fault });
  });

  it('comes back unchanged, whatever the amount and the currency', () => {
    fc.assert(
      fc.property(amounts, currencies, (amountMinor, currency) => {
        const decimal = decimalNumber({ amountMinor, currency });
        expect(minorFromDecimal(decimal, currency)).toEqual({ amountMinor });
      }),
    );
  });

  it('is read exactly or not at all, for every number of JSON', () => {
    fc.assert(
      fc.property(fc.double({ min: 0 }), currencies, (decimal, currency) => {
        const read = minorFromDecimal(decimal, currency);
        if ('amountMinor' in read) {
          expect(decimalNumber({ ...read, currency })).toBe(Math.abs(decimal));
        }
      }),
    );
  });
});

describe('the decimal text', () => {
  it.each([
    [1223, 'USD', '12.23'],
    [1200, 'USD', '12.00'],
    [7, 'USD', '0.07'],
    [0, 'EUR', '0.00'],
    [1223, 'JPY', '1223'],
    [5, 'BHD', '0.005'],
    [maxAmountMinor, 'USD', '9999999999.99'],
  ])('of %d %s is %s', (amountMinor, currency, text) => {
    expect(decimalText({ amountMinor, currency })).toBe(text);
  });

  it('prints as the shortest number in JSON', () => {
    const number = decimalNumber({ amountMinor: maxAmountMinor, currency: 'USD' });
    expect(JSON.stringify(number)).toBe('9999999999.99');
    expect(JSON.stringify(decimalNumber({ amountMinor: 1210, currency: 'USD' }))).toBe('12.1');
  });
});

it('gives a currency of no entry two decimals', () => {
  expect(['USD', 'JPY', 'TND', 'XXX'].map(currencyExponent)).toEqual([2, 0, 3, 2]);
});
