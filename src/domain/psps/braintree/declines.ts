import type { DeclineCategory } from '../../declines/decline.ts';
import {
  blocked,
  type PspDeclineRow,
  type PspDeclines,
  row,
} from '../../declines/psp-decline-rows.ts';

const recurring =
  'Braintree: no retry with the same data on recurring payments, and all charges here are.';
const cancelled = 'The payer cancelled: take it as the end of the subscription.';
const sellersRules = "The rules are the seller's: a person can change them, a retry cannot.";
const softSetUp = 'Soft at Braintree, but no retry is approved before the account is corrected.';
const setUp = 'Hard at Braintree; the account is what has to change, not the card.';

/**
 * Braintree's processor_response_code; gatewayRejectionReason, for which there is no such code.
 * Hard and soft are Braintree's own words.
 */
export const braintreeDeclines: PspDeclines = {
  source: 'Braintree, docs: processor-responses/authorization-responses; gateway rejections',
  codes: {
    2000: soft(
      'later',
      'Do not honour',
      'Soft at Braintree, Visa category 4: it is often approved.',
    ),
    2001: soft('later', 'Not sufficient funds'),
    2002: soft('later', 'Limit exceeded'),
    2003: soft('later', 'Limit of activity exceeded'),
    2004: {
      ...hard('fix_data', 'Expired card', `New data cures it. ${recurring}`),
      blocks: 'always',
    },
    2005: { ...hard('never', 'Wrong card number', recurring), blocks: 'always' },
    2006: hard('fix_data', 'Wrong date of expiry'),
    2007: hard('never', 'No such account'),
    2008: hard('never', 'Card number of a wrong length'),
    2009: noMastercard('No such issuer'),
    2010: hard('fix_data', 'Wrong security code'),
    2011: hard('customer_action', 'The payer has to call the issuer'),
    2012: noMastercard('Possibly a lost card'),
    2013: hard('never', 'Possibly a stolen card'),
    2014: hard(
      'later',
      'Suspected fraud',
      'Hard at Braintree, Visa category 2 (code 59): the suspicion is of this try.',
    ),
    2015: { ...hard('never', 'Transaction not allowed', recurring), blocks: 'always' },
    2016: soft('review', 'Duplicate', 'The charge may have been made: a retry may charge twice.'),
    2017: hard('never', 'The payer stopped this billing', cancelled),
    2018: hard('never', 'The payer stopped all billing', cancelled),
    2019: noMastercard('Invalid transaction'),
    2020: hard('customer_action', 'Violation, the payer has to ask the issuer'),
    2021: hard(
      'later',
      'Security violation',
      'Hard at Braintree, Visa category 4 (code 63): a retry is allowed.',
    ),
    2022: {
      ...hard('fix_data', 'Newer data of the card is there', 'The updater may have it.'),
      blocks: 'mastercard',
    },
    2023: hard('review', 'Feature not supported', setUp),
    2024: hard('review', 'Card type not switched on', setUp),
    2025: soft('review', 'Set-up of the merchant', softSetUp),
    2026: soft('review', 'Wrong merchant id', softSetUp),
    2027: hard('review', 'Set-up: amount', setUp),
    2028: hard('review', 'Set-up: hierarchy', setUp),
    2029: hard('fix_data', 'A problem with the card'),
    2030: hard('review', 'Set-up: terminal', setUp),
    2031: hard('review', 'Verification of zero amounts not supported', setUp),
    2032: hard('review', 'Surcharge not permitted', setUp),
    2033: hard(
      'technical',
      'Inconsistent data',
      'Hard at Braintree, whose advice is to try again.',
    ),
    2034: soft('later', 'No action taken'),
    2035: soft('later', 'Approved for less than was asked'),
    2036: hard('review', 'Authorisation not found'),
    2037: hard('review', 'Already reversed'),
    2038: soft('later', 'Declined, no reason given'),
    2039: hard('review', 'Wrong authorisation code'),
    2040: soft('review', 'Wrong store', softSetUp),
    2041: hard('customer_action', 'The payer has to call the issuer'),
    2042: soft('review', 'Wrong client id', softSetUp),
    2043: {
      ...hard('never', 'Do not retry, call the issuer', 'The issuer itself forbids the retry.'),
      blocks: 'always',
    },
    2044: hard('customer_action', 'The payer has to call the issuer'),
    2045: hard('review', 'Wrong merchant number', setUp),
    2046: soft('later', 'Declined, no reason given'),
    2047: noMastercard('Call the issuer, pick up card'),
    2048: soft('review', 'Wrong amount', 'Soft at Braintree; the same amount would fail again.'),
    2049: hard('review', 'Wrong article number'),
    2050: hard(
      'later',
      'Credit plan',
      'Hard at Braintree, which names temporary problems as a cause.',
    ),
    2051: hard('fix_data', 'Card number does not match the method'),
    2052: hard('review', 'Wrong level 3 data'),
    2053: noMastercard('Card reported lost or stolen'),
    2054: hard('review', 'Reversal of another amount'),
    2055: hard('review', 'Wrong division number', setUp),
    2056: hard('review', 'Amount above the limit of the division', setUp),
    2057: soft('later', 'Restricted by the issuer or the payer'),
    2058: hard('review', 'Merchant has no Mastercard 3-D Secure', setUp),
    2059: hard('fix_data', 'The address does not match'),
    2060: hard('fix_data', 'Address and security code do not match'),
    2061: hard('review', 'Wrong data'),
    2062: soft('review', 'Wrong tax amount', 'Soft at Braintree; the same data would fail again.'),
    2063: hard('review', "PayPal: the seller's preferences forbid it"),
    2064: hard('review', 'Wrong currency', setUp),
    2065: hard('review', 'Too late for a refund'),
    2066: hard('review', "PayPal: the seller's account is restricted"),
    2067: hard('review', 'Authorisation expired'),
    2068: hard('review', "PayPal: the seller's account is locked or closed"),
    2069: hard('review', 'PayPal: order id used before'),
    2070: hard('never', 'PayPal: the payer revoked the billing agreement', cancelled),
    2071: hard('review', "PayPal: the seller's account is not confirmed"),
    2072: hard('review', "PayPal: the seller's e-mail is malformed"),
    2073: hard('review', 'PayPal: validation failed'),
    2074: hard('customer_action', "PayPal: the payer's card or bank declined"),
    2075: hard('never', "PayPal: the payer's account is locked or closed"),
    2076: hard('customer_action', 'PayPal: the payer cannot pay this so'),
    2077: hard('review', 'PayPal: refused by its risk model'),
    2078: soft('technical', 'PIN could not be decrypted'),
    2079: hard('review', "PayPal: set-up of the seller's account"),
    2080: soft('review', 'Wrong credentials', softSetUp),
    2081: hard('review', 'PayPal: pending payments are not supported'),
    2082: hard('review', 'PayPal: domestic payments only'),
    2083: hard('fix_data', 'PayPal: telephone number required'),
    2084: hard('fix_data', 'PayPal: tax data required'),
    2085: hard('review', 'PayPal: the seller blocks it'),
    2086: hard(
      'later',
      'PayPal: limit exceeded',
      'Hard at Braintree; a limit is free again later.',
    ),
    2087: hard('review', 'PayPal: reference transactions are not switched on'),
    2088: hard('review', 'PayPal: currency not switched on'),
    2089: hard('review', 'PayPal: permission between accounts'),
    2090: hard('review', 'PayPal: refund above the settled amount'),
    2091: hard('review', 'PayPal: another currency required'),
    2092: soft('fix_data', 'Bank account not found'),
    2093: hard('fix_data', 'PayPal: method expired or cancelled'),
    2094: hard('review', 'PayPal: already paid'),
    2095: hard('review', 'PayPal: no refund after a partial one'),
    2096: hard('review', 'PayPal: payer and seller are the same'),
    2097: hard('review', 'PayPal: authorised amount exceeded'),
    2098: hard('review', 'PayPal: count of authorisations exceeded'),
    2099: soft('customer_action', 'The issuer asks for 3-D Secure'),
    2100: hard('review', 'PayPal: billing by the channel is not switched on'),
    2101: soft('customer_action', 'Card has to be present'),
    2102: soft('fix_data', 'Wrong PIN'),
    2103: soft('later', 'PIN tries exceeded'),
    2104: soft('later', 'Declined offline'),
    2105: soft('fix_data', 'Life cycle', "Mastercard's 79: the updater may have newer data."),
    2106: soft('later', 'Policy', "Mastercard's 82: most of its reasons may be temporary."),
    2107: hard('customer_action', 'The payer has to activate the card'),
    2108: hard('never', 'Closed account'),
    3000: soft('technical', 'The network does not answer'),

    application_incomplete: row('review', "Gateway: the merchant's application is not complete"),
    avs: row('fix_data', 'Gateway: the address does not match'),
    avs_and_cvv: row('fix_data', 'Gateway: address and security code do not match'),
    cvv: row('fix_data', 'Gateway: the security code does not match'),
    duplicate: row('review', 'Gateway: the same charge a moment ago'),
    excessive_retry: blocked(
      'Gateway: blocked after too many tries',
      'It does not reach the issuer any more; a further try would only be counted.',
    ),
    fraud: row('review', 'Gateway: suspected fraud', sellersRules),
    risk_threshold: row('review', 'Gateway: risk above the threshold', sellersRules),
    three_d_secure: row('customer_action', 'Gateway: 3-D Secure failed or is missing'),
    token_issuance: row('customer_action', 'Gateway: the method could not be stored'),
  },
  ranges: [{ from: 2109, to: 2999, row: soft('later', 'Declined, no reason given') }],
};

function soft(category: DeclineCategory, meaning: string, why?: string): PspDeclineRow {
  return { ...row(category, meaning, why), pspClass: 'soft' };
}

function hard(category: DeclineCategory, meaning: string, why?: string): PspDeclineRow {
  return { ...row(category, meaning, why), pspClass: 'hard' };
}

/** A code after which Mastercard forbids a retry. */
function noMastercard(meaning: string): PspDeclineRow {
  return { ...hard('never', meaning, 'Mastercard forbids a retry.'), blocks: 'mastercard' };
}
