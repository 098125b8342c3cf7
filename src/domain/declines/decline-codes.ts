import { dayMs, hourMs } from '../clock.ts';
import { present } from '../present.ts';
import type { DeclineCategory } from './decline.ts';

/** The card networks whose codes are read by a table of their own. */
export const cardNetworks = ['visa', 'mastercard', 'amex', 'discover'] as const;
export type CardNetwork = (typeof cardNetworks)[number];

/** Where a row comes from. Where sources disagree, the row's `why` says what was decided. */
export const declineSources = {
  visaRules:
    'Visa Core Rules, 18 April 2026, ID# 0030640, section 7.3.6.3, table 7-2; as republished by IanFoxDev/decline-codes, data/visa.json',
  iso1987:
    'ISO 8583:1987, field 39; meanings as listed by Wikipedia, classes by IanFoxDev/decline-codes, data/iso8583.json',
  iso1993:
    'ISO 8583:1993 action codes, which American Express sends; Lyra, codes returned by AMEX Global acquirer; ABECS table by Cielo',
  mastercardGuide:
    'Mastercard, Dual Message Authorization System Guide, 16 June 2026, DE 39 of message 0110; as transcribed in public',
  mastercardAdvice:
    'Mastercard merchant advice codes (DE 48, subelement 84), by TabaPay, Adyen and Everonet',
  mastercardRegroup: 'Mastercard regroups card-not-present declines into 79, 82 and 83, by TabaPay',
  cielo: 'Cielo, retry programme of the card networks',
} as const;
export type DeclineSource = keyof typeof declineSources;

/** What one response code means for the next try. */
export interface DeclineCodeRow {
  readonly category: DeclineCategory;
  readonly meaning: string;
  readonly source: DeclineSource;
  /** Visa's own category of the code; a code without one is in category 4, "every other decline". */
  readonly visaCategory?: 1 | 2 | 3;
  /** It says that the charge was approved, which explains no decline. */
  readonly isApproval?: true;
  /** The category when Mastercard's advice 01 comes with the code, where it is not `fix_data`. */
  readonly withAdvice01?: DeclineCategory;
  /** Why this category, where sources disagree or it is our decision. */
  readonly why?: string;
}

export type DeclineCodeTable = Readonly<Record<string, DeclineCodeRow>>;

/**
 * Response codes of two characters, as every network reads them unless its own table below says
 * otherwise. Codes with a letter are Visa's; no other network gives them another meaning.
 */
export const commonDeclineCodes: DeclineCodeTable = {
  '00': approval('Approved'),
  '01': iso('later', 'Refer to card issuer'),
  '02': iso('later', "Refer to card issuer's special conditions"),
  '03': iso('review', 'Invalid merchant', 'The set-up of the merchant is what the issuer refuses.'),
  '04': iso('never', 'Pick up card'),
  '05': iso(
    'later',
    'Do not honour',
    'Visa (category 4) and Braintree (soft) allow a retry, and it is often approved; Polar and Hyperswitch stop. Money is recovered by trying.',
  ),
  '06': iso('technical', 'Error'),
  '07': iso('never', 'Pick up card, special condition (fraud)'),
  '08': approval('Honour with identification'),
  '09': iso('technical', 'Request in progress'),
  '10': approval('Approved for a partial amount'),
  '11': approval('Approved (VIP)'),
  '12': iso('never', 'Invalid transaction', 'Braintree 2019: hard, Mastercard forbids a retry.'),
  '13': iso('review', 'Invalid amount'),
  '14': iso('never', 'Invalid card number'),
  '15': iso('never', 'No such issuer', 'Braintree 2009: hard, Mastercard forbids a retry.'),
  '16': approval('Approved, update track 3'),
  '17': iso('customer_action', 'Customer cancellation'),
  '19': iso('technical', 'Re-enter transaction'),
  '20': iso('technical', 'Invalid response'),
  '21': iso('later', 'No action taken'),
  '22': iso('technical', 'Suspected malfunction'),
  '23': iso('review', 'Unacceptable transaction fee'),
  '25': iso('later', 'Unable to locate record'),
  '28': iso('technical', 'File temporarily unavailable'),
  '30': iso('technical', 'Format error'),
  '31': iso('technical', 'Bank not supported by switch'),
  '33': iso('fix_data', 'Expired card, pick up', 'New data cures it, as with 54.'),
  '34': iso('never', 'Suspected fraud, pick up', 'The card is to be taken away, unlike with 59.'),
  '35': iso('never', 'Contact acquirer, pick up'),
  '36': iso('never', 'Restricted card, pick up'),
  '37': iso('never', "Call acquirer's security, pick up"),
  '38': iso('never', 'PIN tries exceeded, pick up'),
  '39': iso('fix_data', 'No credit account'),
  '40': iso('review', 'Requested function not supported'),
  '41': iso('never', 'Lost card'),
  '42': iso('fix_data', 'No universal account'),
  '43': iso('never', 'Stolen card'),
  '44': iso('fix_data', 'No investment account'),
  '46': { category: 'never', meaning: 'Closed account', source: 'mastercardGuide' },
  '51': iso('later', 'Not sufficient funds'),
  '52': iso('fix_data', 'No checking account'),
  '53': iso('fix_data', 'No savings account'),
  '54': iso(
    'fix_data',
    'Expired card',
    'Visa (category 3) allows a retry after new data; a later date alone cures nothing.',
  ),
  '55': iso('fix_data', 'Incorrect PIN'),
  '56': iso('never', 'No card record'),
  '57': iso(
    'never',
    'Transaction not permitted to cardholder',
    'Braintree 2015: hard, no retry on recurring; gov.uk Pay does not retry it.',
  ),
  '58': iso('review', 'Transaction not permitted to terminal'),
  '59': iso(
    'later',
    'Suspected fraud',
    'Visa category 2 (cannot approve now); Braintree 2014 is hard. The suspicion is of this try.',
  ),
  '60': iso('review', 'Contact acquirer'),
  '61': iso('later', 'Exceeds amount limit'),
  '62': iso(
    'later',
    'Restricted card',
    'Visa category 2 since April 2021; gov.uk Pay never retries it. The newer rule wins.',
  ),
  '63': iso('later', 'Security violation'),
  '64': iso('review', 'Original amount incorrect'),
  '65': iso(
    'later',
    'Exceeds frequency limit',
    'In Europe Mastercard also means a soft decline that asks for 3-D Secure, which cannot be told apart.',
  ),
  '66': iso('review', "Call acquirer's security department"),
  '67': iso('never', 'Hard capture, pick up'),
  '68': iso('technical', 'Response received too late'),
  '75': iso('later', 'PIN tries exceeded'),
  '85': approval('No reason to decline'),
  '90': iso('technical', 'Cut-off in process'),
  '91': iso('technical', 'Issuer or switch inoperative'),
  '92': iso('technical', 'Issuer cannot be found for routing'),
  '93': iso('review', 'Violation of law'),
  '94': iso('review', 'Duplicate transmission'),
  '95': iso('technical', 'Reconcile error'),
  '96': iso('technical', 'System malfunction'),
  '1A': visa('customer_action', 'Additional customer authentication required'),
  '5C': visa('later', 'Not supported or blocked by issuer', 2),
  '6P': visa('fix_data', "Cardholder's identification does not match", 3),
  '9G': visa(
    'later',
    'Blocked by cardholder',
    2,
    'A payer who lifts the block sends us no signal, so waiting for one would wait for ever.',
  ),
  B1: visa('later', 'Surcharge amount not permitted'),
  B2: visa('later', 'Surcharge not supported by network'),
  N0: visa('later', 'Force stand-in processing'),
  N3: visa('later', 'Cash service not available', 2),
  N4: visa('later', 'Cash request exceeds limit', 2),
  N5: {
    ...visa('review', 'Ineligible for resubmission'),
    why: 'Visa counts it as generic, yet its words forbid the retry: a person decides.',
  },
  N7: visa('fix_data', 'Card verification value failed', 3),
  N8: visa('later', 'Amount exceeds the preauthorised one'),
  P5: visa('later', 'PIN change or unblock refused'),
  P6: visa('later', 'PIN is unsafe'),
  Q1: visa('later', 'Card authentication failed'),
  R0: visa('never', 'Stop payment order', 1),
  R1: visa('never', 'Revocation of authorisation', 1),
  R2: visa('later', 'Does not qualify for Visa PIN'),
  R3: visa('never', 'Revocation of all authorisations', 1),
  Z3: visa('later', 'Unable to go online, declined offline'),
  Z5: visa('later', 'Valid account, amount not supported', 2),
};

/** Where Visa places a code in a category of its own, or reads it in its own way. */
export const visaDeclineCodes: DeclineCodeTable = {
  '04': visa('never', 'Pick up card (no fraud)', 1),
  '07': visa('never', 'Pick up card, special condition (fraud account)', 1),
  '12': visa('never', 'Invalid transaction', 1),
  '14': visa('never', 'Invalid account number', 1),
  '15': visa('never', 'No such issuer', 1),
  '41': visa('never', 'Lost card, pick up', 1),
  '43': visa('never', 'Stolen card, pick up', 1),
  '46': visa('never', 'Closed account', 1),
  '57': visa(
    'never',
    'Transaction not permitted to cardholder',
    1,
    'Rewritten to 05 from October 2025 to October 2026; who still sends it means it.',
  ),
  '03': visa('later', 'Invalid merchant', 2, 'Moved from category 1 to 2 in April 2021.'),
  '19': visa('technical', 'Re-enter transaction', 2),
  '39': visa('later', 'No credit account', 2),
  '51': visa('later', 'Not sufficient funds', 2),
  '52': visa('later', 'No checking account', 2),
  '53': visa('later', 'No savings account', 2),
  '59': visa('later', 'Suspected fraud', 2),
  '61': visa('later', 'Exceeds approval amount limit', 2),
  '62': visa('later', 'Restricted card (region or country)', 2),
  '65': visa('later', 'Exceeds withdrawal frequency limit', 2),
  '75': visa('later', 'PIN tries exceeded', 2),
  '78': visa('later', 'Blocked, first used or special condition', 2),
  '83': visa('later', 'Fraud or security', 2, 'Category 2 from 25 July 2026; generic before.'),
  '86': visa('later', 'Cannot verify PIN', 2),
  '91': visa('technical', 'Issuer or switch inoperative', 2),
  '93': visa('later', 'Violation of law', 2, 'Moved from category 1 to 2 in April 2021.'),
  '96': visa('technical', 'System malfunction', 2),
  '54': visa('fix_data', 'Expired card or expiry missing', 3),
  '55': visa('fix_data', 'PIN incorrect or missing', 3),
  '82': visa('fix_data', 'Negative CAM, dCVV, iCVV or CVV result', 3),
  '64': visa('later', 'Does not fulfil anti-money-laundering requirement'),
  '70': visa('customer_action', 'PIN data required'),
  '74': visa('later', 'Different value than that used for PIN encryption'),
  '76': visa('later', 'Unsolicited reversal'),
  '79': visa('later', 'Already reversed'),
  '80': visa('later', 'No financial impact'),
  '81': visa('later', 'Cryptographic error in PIN'),
  '89': visa('later', 'Ineligible to receive financial position information'),
};

/** Where Mastercard reads a code in its own way. */
export const mastercardDeclineCodes: DeclineCodeTable = {
  '70': mastercard('later', 'Contact card issuer'),
  '71': mastercard('customer_action', 'PIN not changed'),
  '72': mastercard('later', 'Account not yet activated', 'Its activation sends us no signal.'),
  '76': mastercard('fix_data', 'Nonexistent account to credit'),
  '77': mastercard('fix_data', 'Nonexistent account to debit'),
  '78': mastercard('fix_data', 'Nonexistent account'),
  '79': {
    category: 'fix_data',
    meaning: 'Life cycle (groups 14 and 54)',
    source: 'mastercardRegroup',
    why: 'Without advice: the updater may have newer data. Advice 03 makes it never.',
  },
  '81': mastercard('review', 'Domestic debit transaction not allowed'),
  '82': {
    category: 'later',
    meaning: 'Policy (groups 03, 13, 57, 61, 62, 65)',
    source: 'mastercardRegroup',
    why: 'Without advice most of the group may be approved later. Advice 03 makes it never.',
  },
  '83': {
    category: 'later',
    meaning: 'Fraud or security (groups 41, 43, 55, 59, 63)',
    source: 'mastercardRegroup',
    withAdvice01: 'customer_action',
    why: 'Without advice a retry is allowed. Advice 01 asks for 3-D Secure, 03 makes it never.',
  },
  '84': mastercard('review', 'Invalid authorisation life cycle'),
  '86': mastercard('later', 'PIN validation not possible'),
  '87': { ...approval('Purchase amount only, no cash back'), source: 'mastercardGuide' },
  '88': mastercard('customer_action', 'Cryptographic failure', 'Asks for a new authentication.'),
  '89': mastercard('later', 'Unacceptable PIN, retry'),
};

/** Action codes of three digits: the 1993 edition of the standard, in the dialect of Amex. */
export const actionCodes1993: DeclineCodeTable = {
  '000': { ...approval('Approved'), source: 'iso1993' },
  '100': action('later', 'Deny'),
  '101': action('fix_data', 'Expired card'),
  '102': action('later', 'Suspected fraud'),
  '104': action('later', 'Restricted card'),
  '106': action('later', 'PIN tries exceeded'),
  '107': action('later', 'Call issuer'),
  '109': action('review', 'Invalid merchant'),
  '110': action('review', 'Invalid amount'),
  '111': action('never', 'Invalid account'),
  '115': action('review', 'Requested function not supported'),
  '116': action('later', 'Not sufficient funds'),
  '117': action('fix_data', 'Invalid PIN'),
  '119': action('review', 'Cardholder not enrolled or not permitted'),
  '121': action('later', 'Limit exceeded'),
  '122': action('fix_data', 'Invalid card security code'),
  '125': action('fix_data', 'Invalid effective date'),
  '180': action('review', 'Invalid data'),
  '181': action('review', 'Format error'),
  '183': action('review', 'Invalid currency code'),
  '187': action('fix_data', 'New card issued'),
  '189': action('review', 'Account or merchant cancelled'),
  '200': action('never', 'Pick up card'),
  '909': action('technical', 'System malfunction'),
  '911': action('technical', 'Issuer timed out'),
  '912': action('technical', 'Issuer not available'),
};

/** What one advice code adds. A row without a category only describes the card: the code decides. */
export interface AdviceCodeRow {
  readonly meaning: string;
  readonly category?: DeclineCategory;
  /** Not before this long after the decline. */
  readonly waitMs?: number;
  /** Whether it is heeded when the network is Visa, whose PSPs pass these two on as well. */
  readonly onVisaToo?: true;
  readonly source: DeclineSource;
  readonly why?: string;
}

/** Mastercard's merchant advice codes (DE 48, subelement 84). */
export const adviceCodes: Readonly<Record<string, AdviceCodeRow>> = {
  '00': advice('No advice'),
  '01': advice('New account information available', 'fix_data'),
  '02': advice('Cannot approve now, try again later', 'later', 72 * hourMs),
  '03': { ...advice('Do not try again', 'never'), onVisaToo: true },
  '04': advice('Token requirements not fulfilled', 'fix_data'),
  '05': advice('Negotiated value not approved'),
  '21': { ...advice('Payment cancelled by the cardholder', 'never'), onVisaToo: true },
  '22': advice('Merchant does not qualify for product code', 'review'),
  '24': advice('Retry after 1 hour', 'later', hourMs),
  '25': advice('Retry after 24 hours', 'later', 24 * hourMs),
  '26': advice('Retry after 2 days', 'later', 2 * dayMs),
  '27': advice('Retry after 4 days', 'later', 4 * dayMs),
  '28': advice('Retry after 6 days', 'later', 6 * dayMs),
  '29': advice('Retry after 8 days', 'later', 8 * dayMs),
  '30': advice('Retry after 10 days', 'later', 10 * dayMs),
  '40': spentCard('Non-reloadable prepaid card'),
  '41': spentCard('Single-use virtual card number'),
  '42': advice('Sanctions score exceeds threshold'),
  '43': advice('Multi-use virtual card number'),
  '99': advice('Unknown'),
};

function iso(category: DeclineCategory, meaning: string, why?: string): DeclineCodeRow {
  return { category, meaning, source: 'iso1987', ...present({ why }) };
}

function approval(meaning: string): DeclineCodeRow {
  const why =
    'Explains no decline: whatever the PSP says decides, and a person where it says nothing.';
  return { ...iso('review', meaning, why), isApproval: true };
}

function visa(
  category: DeclineCategory,
  meaning: string,
  visaCategory?: 1 | 2 | 3,
  why?: string,
): DeclineCodeRow {
  return {
    category,
    meaning,
    source: 'visaRules',
    ...present({ visaCategory, why }),
  };
}

function mastercard(category: DeclineCategory, meaning: string, why?: string): DeclineCodeRow {
  return { category, meaning, source: 'mastercardGuide', ...present({ why }) };
}

function action(category: DeclineCategory, meaning: string): DeclineCodeRow {
  return { category, meaning, source: 'iso1993' };
}

function advice(meaning: string, category?: DeclineCategory, waitMs?: number): AdviceCodeRow {
  return {
    meaning,
    source: 'mastercardAdvice',
    ...present({ category, waitMs }),
  };
}

function spentCard(meaning: string): AdviceCodeRow {
  return {
    meaning,
    category: 'customer_action',
    source: 'cielo',
    why: 'Cielo forbids a retry; the card itself is spent, so the payer has to name another.',
  };
}
