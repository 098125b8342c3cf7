/** Where the figures of the rule pack come from. A secondary source is named as such. */
export const ruleSources = {
  visaRules:
    'Visa Core Rules, 18 April 2026, ID# 0030640, section 7.3.6.3, table 7-2; as republished by IanFoxDev/decline-codes',
  visaBulletin: 'Visa bulletin AI10325, as reported by midmetrics',
  braintreeVisa: 'Braintree, notes on the Visa update of spring and summer 2024',
  cieloVisa: 'Cielo, retry programme of the card networks (Visa)',
  checkoutLimit: 'Checkout.com support article 25482040901394',
  checkoutFees: 'Checkout.com, notice of 4 March 2026; TabaPay',
  checkoutRewrite: 'Checkout.com, notice of 10 September 2026; TabaPay',
  checkoutStop: 'Checkout.com on Visa Stop Payment Service; Pagos counts from the third decline',
  paypalCounters: 'PayPal on Visa reattempts: a card number after a token does not count',
  mastercardAdvice:
    'Mastercard merchant advice codes (DE 48, subelement 84), by TabaPay, Adyen and Everonet; the rules themselves are not public',
  mastercardWait: 'Cielo, PayPal and Solidgate on advice 02',
  mastercardSpent: 'Cielo on advice 40 and 41',
  mastercardExcellence:
    'Mastercard Transaction Processing Excellence, by TabaPay, Adyen, Braintree, Cielo and payabl',
  mastercardOptimizer: 'Braintree on Mastercard Authorization Optimizer (F23)',
  hyperswitch: 'Hyperswitch, its own default; no rule of the network is public (weak)',
  cieloElo: 'Cielo, retry programme of the card networks (Elo)',
  adyenSepa: 'Adyen on retries of SEPA direct debits',
  achGoCardless: 'GoCardless for the reasons; the two re-presentments of NACHA were not verified',
  rbi: 'Reserve Bank of India, e-mandates on cards, as described by Stripe; Stripe itself retries no Indian card',
  ours: 'Recoup: no source gives a figure, so the strictest known one is used',
} as const;
export type RuleSource = keyof typeof ruleSources;
