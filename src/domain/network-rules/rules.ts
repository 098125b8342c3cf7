import type { RuleSource } from './rule-sources.ts';
import type { RuledNetwork } from './ruled-network.ts';

interface Rule {
  readonly network: RuledNetwork | 'any';
  readonly words: string;
  readonly source: RuleSource;
  readonly why?: string;
}

/** Every rule that may refuse a charge, or that a fee is charged under. An id keeps its meaning. */
export const networkRules = {
  'visa.category_1': {
    network: 'visa',
    words: 'Visa forbids another attempt on a card that was declined in category 1.',
    source: 'visaRules',
  },
  'visa.reattempts_30d': {
    network: 'visa',
    words: 'The reattempts that Visa allows on a card in 30 days are used up.',
    source: 'checkoutLimit',
    why: "Counted for the card whatever the amount: Visa's key has the amount too, and a lowered amount must not open another allowance.",
  },
  'visa.advice_never': {
    network: 'visa',
    words: 'The issuer advised never to try the card again.',
    source: 'mastercardAdvice',
    why: 'PSPs pass the advice 03 and 21 on for Visa cards, too.',
  },
  'visa.stop_payment': {
    network: 'visa',
    words: 'The cardholder had recurring payments stopped at the issuer.',
    source: 'checkoutStop',
  },
  'visa.late_retry': {
    network: 'visa',
    words: 'A retry later than 30 days after the first try is charged for in Brazil.',
    source: 'cieloVisa',
    why: 'One acquirer says so; it costs, but nothing forbids it.',
  },
  'mastercard.advice_never': {
    network: 'mastercard',
    words: 'Mastercard advised never to try the card again (advice 03, 21 or 22).',
    source: 'mastercardAdvice',
    why: 'Advice 22 refuses the merchant for the product: only another set-up helps.',
  },
  'mastercard.advice_spent': {
    network: 'mastercard',
    words: 'The card is prepaid without reloading or of single use (advice 40 or 41).',
    source: 'mastercardSpent',
  },
  'mastercard.advice_wait': {
    network: 'mastercard',
    words: 'Mastercard advised to wait (advice 02 or 24 to 30).',
    source: 'mastercardAdvice',
  },
  'mastercard.declines_24h': {
    network: 'mastercard',
    words: 'The declines that Mastercard allows on a card in 24 hours are used up.',
    source: 'mastercardExcellence',
  },
  'mastercard.declines_30d': {
    network: 'mastercard',
    words: 'The declines that Mastercard allows on a card in 30 days are used up.',
    source: 'mastercardExcellence',
    why: 'In force in the USA since November 2023 and in Canada since April 2024. It is kept everywhere from the first of these on: the country of the acquirer is not always known, and a card that was declined 35 times in a month gains nothing from the next try. Counted whatever the amount, for the reason given at Visa.',
  },
  'mastercard.optimizer': {
    network: 'mastercard',
    words: 'Mastercard charges for each advice of 24 to 30 with code 51, heeded or not.',
    source: 'mastercardOptimizer',
  },
  'amex.attempts_24h': daily('amex', 'American Express'),
  'amex.attempts_30d': monthly('amex', 'American Express'),
  'discover.attempts_24h': daily('discover', 'Discover'),
  'discover.attempts_30d': monthly('discover', 'Discover'),
  'elo.attempts_month': {
    network: 'elo',
    words: 'The attempts that Elo allows on a card in a calendar month are used up.',
    source: 'cieloElo',
    why: 'Counted whatever the amount and the expiry date; the month is that of Brasilia.',
  },
  'sepa.reason': {
    network: 'sepa_debit',
    words: 'A SEPA direct debit may be retried after AM04 and MS03 alone.',
    source: 'adyenSepa',
  },
  'sepa.retries': {
    network: 'sepa_debit',
    words: 'The retries that a SEPA direct debit may have are used up.',
    source: 'adyenSepa',
  },
  'ach.reason': {
    network: 'ach',
    words: 'An ACH debit may be re-presented after R01 and R09 alone.',
    source: 'achGoCardless',
  },
  'ach.retries': {
    network: 'ach',
    words: 'The re-presentments that an ACH debit may have are used up.',
    source: 'achGoCardless',
  },
  'india.amount': {
    network: 'any',
    words: 'A mandate on an Indian card needs another authentication above 15,000 INR.',
    source: 'rbi',
  },
  'india.notice': {
    network: 'any',
    words: 'The holder of an Indian card has to be notified 24 hours before each debit.',
    source: 'rbi',
    why: 'Recoup does not see the notice. The soonest that it can have been given is when the debit before was refused.',
  },
  'unknown.forbidden': {
    network: 'unknown',
    words: 'A decline forbade this card under the rules of one of the networks.',
    source: 'ours',
    why: 'The card may be of any network, so what any of them forbids is not done.',
  },
  'unknown.attempts_24h': {
    network: 'unknown',
    words: 'The tries in 24 hours of a card whose network is not known are used up.',
    source: 'ours',
    why: 'The card may be a Mastercard: its limit outside Brazil holds.',
  },
  'unknown.attempts_30d': {
    network: 'unknown',
    words: 'The tries in 30 days of a card whose network is not known are used up.',
    source: 'ours',
    why: "Visa has the lowest monthly limit, and had a lower one before: 15. Cardholder's and merchant's tries, tokens and numbers are counted together, as nobody says that the network counts them apart.",
  },
} as const satisfies Readonly<Record<string, Rule>>;

export type RuleId = keyof typeof networkRules;

function daily<Network extends RuledNetwork>(network: Network, name: string) {
  const words = `The tries of a card of ${name} in 24 hours are used up.`;
  return { network, words, source: 'hyperswitch' } as const;
}

function monthly<Network extends RuledNetwork>(network: Network, name: string) {
  const words = `The tries of a card of ${name} in 30 days are used up.`;
  return { network, words, source: 'hyperswitch' } as const;
}
