import { expect, it } from 'vitest';
import { adyenDecline, networkCodeOf, payerNeeded } from '../../../src/psp/adyen/declines.ts';

it.each([
  ['05 : Do not honor', '05'],
  ['5: Do not honor', '5'],
  ['N7 : Decline for CVV2 failure', 'N7'],
  ['100 : Deny', '100'],
  ['51', '51'],
  [' 1A : Additional customer authentication required', '1A'],
  ['AUTHORISED', undefined],
  ['DECLINED Expiry Incorrect', undefined],
  ['Card issuer : no', undefined],
  ['', undefined],
  [54, undefined],
])('the network code of the raw reason %j is %j', (refusalReasonRaw, code) => {
  expect(networkCodeOf({ refusalReasonRaw })).toBe(code);
});

it("lets Mastercard's advice decide before the response code", () => {
  expect(
    adyenDecline({
      resultCode: 'Refused',
      refusalReason: 'Refused',
      refusalReasonCode: '2',
      additionalData: {
        paymentMethod: 'mc',
        refusalReasonRaw: '05 : Do not honor',
        merchantAdviceCode: '3 : Do not try again',
      },
    }),
  ).toMatchObject({
    category: 'never',
    code: '2',
    message: 'Refused',
    network: 'mastercard',
    networkCode: '05',
    adviceCode: '03',
  });
});

it.each([
  [{ cardScheme: 'visa' }, undefined, 'visa'],
  [{ paymentMethod: 'mc' }, undefined, 'mastercard'],
  [{ cardPaymentMethod: 'amex' }, undefined, 'amex'],
  [{}, 'maestro', 'mastercard'],
  [{ paymentMethod: 'ideal' }, undefined, undefined],
  [{ paymentMethod: 7 }, undefined, undefined],
])('reads the card network from %j and %j', (additionalData, scheme, network) => {
  const decline = adyenDecline({ additionalData, ...(scheme !== undefined && { scheme }) });
  expect(decline.network).toBe(network);
});

it('shows the words of a webhook where there is no code', () => {
  expect(adyenDecline({ refusalReason: 'Expired Card', additionalData: {} })).toMatchObject({
    code: 'Expired Card',
    message: 'Expired Card',
  });
});

it('needs nothing at all', () => {
  expect(adyenDecline({ additionalData: {} })).toMatchObject({ code: 'unknown' });
});

it('makes a challenge an action of the payer, whatever its other words say', () => {
  const refusal = { resultCode: 'ChallengeShopper', refusalReasonCode: '5', additionalData: {} };
  expect(payerNeeded(refusal).category).toBe('customer_action');
});
