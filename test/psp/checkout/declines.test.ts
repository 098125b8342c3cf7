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

it('takes the code of the authorisation and the card of the payment', () => {
  const payment = { response_code: '10000', source: { scheme: 'VISA' } };
  const authorisation = { response_code: '20054', processing: { recommendation_code: 1 } };
  expect(checkoutDecline(payment, authorisation)).toMatchObject({ code: '20054', network: 'visa' });
});

it('has a code where Checkout.com gives none', () => {
  expect(checkoutDecline({ source: {} }).code).toBe('declined');
});
