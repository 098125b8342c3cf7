import { expect, it } from 'vitest';
import { checkoutDecline } from '../../../src/psp/checkout/declines.ts';

it('keeps what Checkout.com and the network said', () => {
  expect(
    checkoutDecline({
      response_code: '20051',
      response_summary: 'Insufficient Funds',
      source: { scheme: 'Mastercard' },
      processing: { partner_merchant_advice_code: '25', recommendation_code: '02' },
    }),
  ).toMatchObject({
    category: 'later',
    code: '20051',
    network: 'mastercard',
    adviceCode: '25',
    waitMs: 24 * 3_600_000,
    message: 'Insufficient Funds',
  });
});

it.each(['Visa', 'Mastercard', 'Amex'])(
  'never tries a card of %s again that Checkout.com says not to try again',
  (scheme) => {
    for (const recommendation_code of ['03', 3, '3']) {
      const said = {
        response_code: '20051',
        source: { scheme },
        processing: { recommendation_code },
      };
      expect(checkoutDecline(said)).toMatchObject({ category: 'never', code: '20051' });
    }
  },
);

it('is not talked into another try by an advice of the network beside "do not try again"', () => {
  const processing = { partner_merchant_advice_code: '24', recommendation_code: '03' };
  const said = { response_code: '20051', source: { scheme: 'Mastercard' }, processing };
  expect(checkoutDecline(said)).toMatchObject({ category: 'never' });
});

it('waits for new data where Checkout.com asks for it', () => {
  const said = { response_code: '20005', processing: { recommendation_code: '01' } };
  expect(checkoutDecline(said)).toMatchObject({ category: 'fix_data' });
});

it('does not take a lost card for one to try later', () => {
  const said = { response_code: '30041', processing: { recommendation_code: '02' } };
  expect(checkoutDecline(said)).toMatchObject({ category: 'never' });
});

it('takes the code of the authorisation and the card of the payment', () => {
  const payment = { response_code: '10000', source: { scheme: 'VISA' } };
  const authorisation = { response_code: '20054', processing: { recommendation_code: 1 } };
  expect(checkoutDecline(payment, authorisation)).toMatchObject({
    category: 'fix_data',
    code: '20054',
    network: 'visa',
  });
});

it('has a code where Checkout.com gives none', () => {
  expect(checkoutDecline({ source: {} }).code).toBe('declined');
});
