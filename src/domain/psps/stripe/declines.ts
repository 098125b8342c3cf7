import { dayMs } from '../../clock.ts';
import { blocked, type PspDeclines, row } from '../../declines/psp-decline-rows.ts';

const radar = "Rules and lists are the seller's: a person can change them, a retry cannot.";

/**
 * Stripe's decline_code, its error.code and outcome.reason where a decline comes without one, its
 * advice_code, and error.type, outcome.type or outcome.network_status as the coarse class.
 */
export const stripeDeclines: PspDeclines = {
  source:
    'Stripe, docs: declines/codes, error-codes, declines/card (advice codes), charges object (outcome)',
  codes: {
    lost_card: row('never', 'Lost card'),
    stolen_card: row('never', 'Stolen card'),
    pickup_card: row('never', 'Card to be taken away'),
    fraudulent: row('never', 'Stripe suspects fraud'),
    incorrect_number: row('never', 'Wrong card number'),
    invalid_number: row('never', 'Wrong card number'),
    invalid_account: row('never', 'Card or its account is not valid'),
    stop_payment_order: row('never', 'The payer stopped this payment at the bank'),
    revocation_of_authorization: row('never', 'The payer revoked this subscription at the bank'),
    revocation_of_all_authorizations: row('never', 'The payer revoked every payment to the seller'),
    do_not_try_again: blocked('Deprecated: do not try again', 'It is now an advice code.'),
    merchant_blacklist: row('never', "On the seller's block list at Stripe"),
    testmode_decline: row('never', 'A test card in live mode'),
    india_recurring_payment_mandate_canceled: row('never', 'The payer cancelled the mandate'),
    account_closed: row('never', 'The bank account is closed'),
    debit_not_authorized: row('never', 'The payer says that the debit was not authorised'),
    previously_declined_do_not_retry: blocked(
      'Stripe blocks the charge after too many declines',
      'Not sent to the network: a further try brings no answer from the issuer, and may bring fees.',
    ),

    expired_card: row(
      'fix_data',
      'Expired card',
      'Visa (category 3) allows a retry after new data; a later date alone cures nothing.',
    ),
    incorrect_cvc: row('fix_data', 'Wrong security code'),
    invalid_cvc: row('fix_data', 'Wrong security code'),
    invalid_expiry_month: row('fix_data', 'Wrong month of expiry'),
    invalid_expiry_year: row('fix_data', 'Wrong year of expiry'),
    incorrect_address: row('fix_data', 'Wrong billing address'),
    incorrect_zip: row('fix_data', 'Wrong postal code'),
    incorrect_pin: row('fix_data', 'Wrong PIN'),
    invalid_pin: row('fix_data', 'Wrong PIN'),
    invalid_card_type: row('fix_data', 'Card of a kind that this payment does not take'),
    no_account: row('fix_data', 'No such bank account'),
    bank_account_unusable: row('fix_data', 'The bank account cannot be debited'),
    requested_block_on_incorrect_cvc: row('fix_data', "Seller's rule: wrong security code"),
    requested_block_on_incorrect_zip: row('fix_data', "Seller's rule: wrong postal code"),

    authentication_required: row('customer_action', 'The issuer asks for 3-D Secure'),
    authentication_not_handled: row('customer_action', '3-D Secure was asked for and not done'),
    mobile_device_authentication_required: row('customer_action', 'Authentication on a phone'),
    offline_pin_required: row('customer_action', 'Card and PIN have to be present'),
    online_or_offline_pin_required: row('customer_action', 'PIN required'),
    new_account_information_available: row(
      'customer_action',
      'The card was replaced',
      "Mastercard's advice 01, which is fix_data, where Stripe passes it on; this word has no more.",
    ),
    payment_intent_authentication_failure: row('customer_action', '3-D Secure failed'),
    payment_intent_payment_attempt_expired: row('customer_action', 'The payer did not act in time'),
    payment_method_customer_decline: row('customer_action', 'The payer declined'),
    setup_intent_mandate_invalid: row('customer_action', 'The mandate is not valid any more'),

    issuer_not_available: row('technical', 'The issuer does not answer'),
    processing_error: row('technical', 'An error while processing'),
    reenter_transaction: row('technical', 'The issuer could not process it'),
    approve_with_id: row('technical', 'Could not be authorised'),
    payment_method_not_available: row('technical', "The method's provider does not answer"),
    payment_method_provider_timeout: row('technical', "The method's provider timed out"),

    insufficient_funds: row(
      'later',
      'Not sufficient funds',
      'Every timer retries it; only an instant try elsewhere does not help.',
    ),
    card_velocity_exceeded: row('later', 'Limit of balance, credit or count exceeded'),
    withdrawal_count_limit_exceeded: row('later', 'Limit of count exceeded'),
    do_not_honor: row(
      'later',
      'Do not honour',
      'Visa (category 4) and Braintree (soft) allow a retry, and it is often approved; Polar and Hyperswitch stop. Money is recovered by trying.',
    ),
    generic_decline: row('later', 'No reason given'),
    card_declined: row('later', 'Declined, without a decline code'),
    call_issuer: row('later', 'No reason given'),
    no_action_taken: row('later', 'No reason given'),
    try_again_later: row('later', 'Deprecated: try again later'),
    security_violation: row('later', 'No reason given'),
    restricted_card: row(
      'later',
      'Restricted card',
      'Visa category 2; Stripe also speaks of lost or stolen, for which it has codes of their own.',
    ),
    pin_try_exceeded: row('later', 'PIN tries exceeded'),
    charge_exceeds_source_limit: row('later', 'Limit of the method for some time'),
    payment_method_provider_decline: row('later', "The method's provider declined"),
    card_decline_rate_limit_exceeded: {
      ...row('later', 'Declined too often', 'Stripe takes the card again after 24 hours.'),
      waitMs: dayMs,
      blocks: 'always',
    },

    card_not_supported: row('review', 'The card does not do this kind of purchase'),
    currency_not_supported: row('review', 'The card does not do this currency'),
    invalid_amount: row('review', 'The amount is not valid or above a limit'),
    amount_too_large: row('review', 'The amount is above the most'),
    amount_too_small: row('review', 'The amount is below the least'),
    not_permitted: row('review', 'Not permitted'),
    service_not_allowed: row('review', 'Not permitted, no reason given'),
    transaction_not_allowed: row(
      'review',
      'Not permitted, no reason given',
      'Response code 57 is never; where Stripe passes it on, that decides.',
    ),
    duplicate_transaction: row('review', 'The same amount on the same card a moment ago'),
    testmode_charges_only: row('review', 'The account has test mode only'),
    payment_method_unactivated: row('review', 'The kind of method is not switched on'),
    payment_method_currency_mismatch: row('review', 'The method does not do this currency'),
    highest_risk_level: row('review', 'Radar: highest risk', radar),
    elevated_risk_level: row('review', 'Radar: elevated risk', radar),
    rule: row('review', "Radar: the seller's own rule", radar),
  },
  advice: {
    do_not_try_again: blocked('Do not try this card again', 'Stripe may know more than the code.'),
    try_again_later: row('later', 'Try again later'),
    confirm_card_data: row('fix_data', 'Ask the payer to confirm the data of the card'),
  },
  categories: {
    card_error: row('later', 'A decline without a code'),
    issuer_declined: row('later', 'The issuer declined'),
    api_error: row('technical', 'An error at Stripe'),
    blocked: row('review', 'Stripe did not send the charge to the network', radar),
    declined_by_network: row('later', 'The issuer declined'),
    not_sent_to_network: row('review', 'Stripe did not send the charge to the network', radar),
    reversed_after_approval: row('review', 'Stripe reversed the charge', radar),
    invalid: row('review', 'Stripe could not use the request'),
    invalid_request_error: row('review', 'Stripe could not use the request'),
  },
};
