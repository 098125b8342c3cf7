import { expect, it } from 'vitest';
import { cardNetworkOf } from '../../../src/domain/declines/card-network.ts';

it.each([
  ['visa', 'visa'],
  ['Visa', 'visa'],
  [' VISA ', 'visa'],
  ['mastercard', 'mastercard'],
  ['MasterCard', 'mastercard'],
  ['Master Card', 'mastercard'],
  ['mc', 'mastercard'],
  ['maestro', 'mastercard'],
  ['amex', 'amex'],
  ['American Express', 'amex'],
  ['american_express', 'amex'],
  ['AmericanExpress', 'amex'],
  ['discover', 'discover'],
  ['diners', 'discover'],
])('%j is of %s', (scheme, network) => {
  expect(cardNetworkOf(scheme)).toBe(network);
});

it.each(['', 'sepa', 'visa electron', 'paypal', 'constructor', '__proto__', 'toString'])(
  '%j is of none',
  (scheme) => {
    expect(cardNetworkOf(scheme)).toBeUndefined();
  },
);
