import { expect, it } from 'vitest';
import { declineByOutcome, worldpayDecline } from '../../../src/psp/worldpay/declines.ts';

it.each([
  ['5', '05'],
  ['51', '51'],
  ['R0', 'R0'],
  ['34', undefined],
  ['835', undefined],
])('reads the code %s as the response code %s of the network', (code, networkCode) => {
  const decline = worldpayDecline({ code });
  expect(decline.networkCode).toBe(networkCode);
  expect(decline.code).toBe(code);
});

it("lets Mastercard's advice decide, without its leading zero too", () => {
  expect(worldpayDecline({ code: '5', adviceCode: '3', cardBrand: 'mastercard' })).toMatchObject({
    category: 'never',
    network: 'mastercard',
    adviceCode: '03',
  });
});

it('needs nothing at all', () => {
  expect(worldpayDecline({})).toMatchObject({ code: 'unknown' });
});

it('knows no decline behind the outcomes of a success, or behind a new word', () => {
  for (const outcome of ['authorized', 'sentForSettlement', 'sentForRefund', 'toString']) {
    expect(declineByOutcome(outcome)).toBeUndefined();
  }
});
