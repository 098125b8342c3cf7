import { describe, expect, it } from 'vitest';
import { stripeDecline } from '../../../src/psp/stripe/declines.ts';
import { gatewayTo, stripe } from './stripe-kit.ts';

describe('a decline of Stripe', () => {
  it.each([
    [
      'pm_decline',
      { category: 'later', code: 'insufficient_funds', network: 'visa', networkCode: '51' },
    ],
    [
      'pm_decline_never',
      { category: 'never', network: 'mastercard', networkCode: '79', adviceCode: '03' },
    ],
    ['pm_decline_blocked', { code: 'previously_declined_do_not_retry', network: 'visa' }],
    ['pm_authentication', { code: 'authentication_required' }],
  ])('of %s keeps what everybody said', async (paymentMethodId, decline) => {
    const result = await gatewayTo(await stripe()).charge({
      merchantId: 'mer_1',
      invoiceId: 'inv_1',
      idempotencyKey: 'att_1-0',
      amountMinor: 1_999,
      currency: 'USD',
      paymentMethodId,
      pspCustomerId: 'cus_1',
    });
    expect(result).toMatchObject({
      kind: 'declined',
      pspTransactionId: expect.stringMatching(/^ch_/),
      networkTransactionId: expect.stringMatching(/^ntid/),
      decline,
    });
  });

  it.each([
    [{ decline_code: 'lost_card', code: 'card_declined' }, 'lost_card'],
    [{ code: 'expired_card' }, 'expired_card'],
    [{ code: 'invoice_payment_intent_requires_action' }, 'authentication_required'],
    [{ code: 'payment_intent_authentication_failure' }, 'authentication_required'],
    [{}, 'unknown'],
  ])('with the error %j has the code %s', (error, code) => {
    expect(stripeDecline({ error }).code).toBe(code);
  });

  it.each([
    ['expired_payment_method', 'fix_data'],
    ['bank_account_restricted', 'fix_data'],
    ['bank_account_frozen', 'fix_data'],
    ['bank_account_invalid_details', 'fix_data'],
    ['tokenized_account_number_deactivated', 'fix_data'],
    ['payment_method_billing_details_address_missing', 'fix_data'],
    ['bank_account_closed', 'never'],
    ['recipient_deceased', 'never'],
    ['sepa_unsupported_account', 'review'],
    ['payment_method_bank_account_blocked', 'fix_data'],
    ['payment_intent_mandate_invalid', 'customer_action'],
    ['billing_invalid_mandate', 'customer_action'],
    ['could_not_process', 'technical'],
    ['refer_to_customer', 'later'],
    ['charge_exceeds_transaction_limit', 'review'],
  ])('of a bank debit or another method with the code %s is %s', (code, category) => {
    expect(stripeDecline({ error: { code } })).toMatchObject({ code, category });
    expect(stripeDecline({ charge: { failure_code: code } })).toMatchObject({ code, category });
  });

  // 912 is a wrong account number to Canada's banks, and an issuer that is away in the 1993 codes of cards.
  it.each([
    ['acss_debit', '912', 'account_number_invalid', 'fix_data'],
    ['bacs_debit', '0', 'refer_to_customer', 'later'],
    ['us_bank_account', 'R02', 'bank_account_closed', 'never'],
  ])(
    'of %s with the network’s code %s goes by %s',
    (type, network_decline_code, code, category) => {
      const outcome = { type: 'issuer_declined', network_decline_code };
      const charge = { failure_code: code, payment_method_details: { type }, outcome };
      const error = { code, network_decline_code, payment_method: { type } };
      for (const said of [{ charge }, { error }, { error, charge }]) {
        const decline = stripeDecline(said);
        expect(decline).toMatchObject({ category, code });
        expect(decline.networkCode).toBeUndefined();
      }
    },
  );

  it.each([
    ['sepa_debit', 'AM04'],
    ['us_bank_account', 'R01'],
    ['ach_debit', 'R01'],
    ['bacs_debit', undefined],
    ['card', undefined],
  ])('for want of funds of %s has the reason %s of its scheme', (type, networkCode) => {
    const charge = { failure_code: 'insufficient_funds', payment_method_details: { type } };
    const decline = stripeDecline({ charge });
    expect(decline).toMatchObject({ category: 'later', code: 'insufficient_funds' });
    expect(decline.networkCode).toBe(networkCode);
  });

  it('that Stripe foresaw and did not send may be tried later', () => {
    const outcome = {
      type: 'blocked',
      network_status: 'not_sent_to_network',
      reason: 'low_probability_of_authorization',
    };
    const said = { error: { decline_code: 'generic_decline' }, charge: { outcome } };
    expect(stripeDecline(said)).toMatchObject({ category: 'later', code: outcome.reason });
  });

  it('takes its code from the charge where there is no error', () => {
    const outcome = { reason: 'stolen_card', type: 'issuer_declined', network_decline_code: '43' };
    const charge = { failure_code: 'card_declined', outcome };
    expect(stripeDecline({ charge })).toMatchObject({ code: 'stolen_card', networkCode: '43' });
  });

  it('goes by the network that was used, then by the brand of the card', () => {
    const card = { brand: 'cartes_bancaires', network: 'visa' };
    const error = { payment_method: { card: { brand: 'mastercard' } } };
    expect(stripeDecline({ charge: { payment_method_details: { card } }, error }).network).toBe(
      'visa',
    );
    expect(stripeDecline({ error }).network).toBe('mastercard');
  });
});
