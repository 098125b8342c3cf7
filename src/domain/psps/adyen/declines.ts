import {
  blocked,
  type PspDeclineRow,
  type PspDeclines,
  row,
} from '../../declines/psp-decline-rows.ts';

/** Adyen's refusalReasonCode with its refusalReason, and resultCode as the coarse class. */
export const adyenDeclines: PspDeclines = {
  source: 'Adyen, docs: development-resources/refusal-reasons; online-payments/auto-rescue',
  codes: {
    0: named('Approved', row('review', 'Approved', 'A decline that says so contradicts itself.')),
    2: named(
      'Refused',
      row('later', 'Refused, no reason given', "The issuers' 05, which is often approved later."),
    ),
    3: named('Referral', row('later', 'The issuer asks for a call')),
    4: named('Acquirer Error', row('technical', 'An error at the acquirer')),
    5: named('Blocked Card', row('never', 'The card is blocked')),
    6: named(
      'Expired Card',
      row('fix_data', 'Expired card', 'A later date alone cures nothing; new data may.'),
    ),
    7: named('Invalid Amount', row('fix_data', 'The amount does not fit')),
    8: named('Invalid Card Number', row('never', 'Wrong card number')),
    9: named('Issuer Unavailable', row('technical', 'The issuer does not answer')),
    10: named('Not supported', row('review', 'The issuer does not do this kind of payment')),
    11: named('3D Not Authenticated', row('customer_action', '3-D Secure failed or was not done')),
    12: named('Not enough balance', row('later', 'Not sufficient funds')),
    14: named(
      'Acquirer Fraud',
      row('later', 'The acquirer suspects fraud', 'A suspicion of this try, as with code 59.'),
    ),
    15: named('Cancelled', row('review', 'Cancelled')),
    16: named('Shopper Cancelled', row('customer_action', 'The payer cancelled')),
    17: named('Invalid Pin', row('fix_data', 'Wrong PIN')),
    18: named('Pin tries exceeded', row('later', 'PIN tries exceeded')),
    19: named('Pin validation not possible', row('review', 'The PIN could not be checked')),
    20: named('FRAUD', row('never', "Blocked by the risk score, before the issuer's answer")),
    21: named('Not Submitted', row('technical', 'The payment was not sent on')),
    22: named('FRAUD-CANCELLED', row('never', "Blocked by the risk score, after the issuer's")),
    23: named('Transaction Not Permitted', row('review', 'Not permitted to the card or seller')),
    24: named('CVC Declined', row('fix_data', 'Wrong security code')),
    25: named(
      'Restricted Card',
      row('review', 'Restricted card', 'Response code 62 is later; where Adyen gives it, it wins.'),
    ),
    26: named('Revocation Of Auth', row('never', 'The payer stopped the subscription')),
    27: named('Declined Non Generic', row('later', 'A reason that Adyen cannot map')),
    28: named('Withdrawal amount exceeded', row('later', 'Limit of amount exceeded')),
    29: named('Withdrawal count exceeded', row('later', 'Limit of count exceeded')),
    31: named(
      'Issuer Suspected Fraud',
      row(
        'later',
        'The issuer suspects fraud',
        'Visa category 2 (code 59); Braintree 2014 is hard. The suspicion is of this try.',
      ),
    ),
    32: named('AVS Declined', row('fix_data', 'The address does not match')),
    33: named('Card requires online pin', row('customer_action', 'PIN required')),
    34: named('No checking account available on Card', row('review', 'No checking account')),
    35: named('No savings account available on Card', row('review', 'No savings account')),
    36: named('Mobile pin required', row('customer_action', 'PIN on a phone required')),
    37: named('Contactless fallback', row('customer_action', 'The payer left a contactless try')),
    38: named('Authentication required', row('customer_action', 'The issuer asks for 3-D Secure')),
    39: named('RReq not received from DS', row('technical', 'No answer of the 3-D Secure servers')),
    40: named('Current AID is in Penalty Box', row('technical', 'The network cannot be reached')),
    41: named('CVM Required Restart Payment', row('customer_action', 'PIN or signature required')),
    42: named('3DS Authentication Error', row('customer_action', '3-D Secure failed')),
    46: named(
      'Transaction blocked by Adyen to prevent excessive retry fees',
      blocked(
        'Adyen blocks the charge after too many tries',
        'It does not reach the issuer any more; a further try would only be counted.',
      ),
    ),
    50: named('Token Revoked', row('never', 'The payer revoked the stored card')),
  },
  categories: {
    Refused: row('later', 'Refused'),
    Error: row('technical', 'An error while processing'),
    Cancelled: row('customer_action', 'Cancelled'),
    RedirectShopper: row('customer_action', 'The payer has to authenticate'),
    IdentifyShopper: row('customer_action', 'The payer has to authenticate'),
    ChallengeShopper: row('customer_action', 'The payer has to authenticate'),
  },
};

function named(name: string, given: PspDeclineRow): PspDeclineRow {
  return { ...given, name };
}
