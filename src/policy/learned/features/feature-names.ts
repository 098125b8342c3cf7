/**
 * The features in their order, each with the words that explanations use. Logistic regression sees
 * steps and products, so that it can bend; boosted trees see the same.
 */
export const featureLabels = {
  belief_logit: 'chance by the paydays and hindrances that fit what was seen (log odds)',
  belief_chance: 'chance by the paydays and hindrances that fit what was seen',
  belief_low: 'that chance, below one in ten',
  never: 'chance that no retry will ever pass',
  paydays: 'chance that paydays decide',
  payday_today: 'chance that it is a payday',
  payday_lately: 'chance that a payday was one or two days ago',
  night: 'from 1 to 5 in the night',
  early: 'from 5 to 9 in the morning',
  evening: 'after 18 in the evening',
  hour: 'hour of the day',
  payday_early: 'payday, before 9 in the morning',
  friday: 'Friday',
  monday: 'Monday',
  business_day: 'a day on which banks work',
  month_start: 'first three days of a month',
  month_middle: 'the 15th to 17th',
  month_end: 'last two days of a month',
  tries: 'tries before this one',
  many_in_week: 'tries beyond three within seven days',
  within_day: 'less than a day after the last try',
  gap: 'hours since the last try (logarithm)',
  since_failure: 'hours since the failure (logarithm)',
  code_funds: 'declined for want of funds',
  code_generic: 'declined without a reason',
  code_technical: 'a technical decline',
  renewed: 'the card was renewed',
  funds_since: 'want of funds, by hours since the failure',
  generic_since: 'no reason given, by hours since the failure',
  last_technical: 'the last decline was technical',
  last_funds: 'the last decline was for want of funds',
  debit: 'debit card',
  credit: 'credit card',
  prepaid: 'prepaid card',
  debit_payday: 'debit card on or just after a payday',
  credit_since: 'credit card, by hours since the failure',
  amount: 'amount against what is usual in its currency (logarithm)',
  amount_against_past: 'amount against the payer’s earlier ones (logarithm)',
  visa: 'Visa',
  mastercard: 'Mastercard',
  advised: 'the issuer advised a wait',
  past_advice: 'days since the advised wait ended',
  bin: 'how cards of the same first digits do',
  issuer: 'how cards of the same issuer do',
  merchant: 'how the merchant’s charges do',
  segment: 'how the segment’s charges do',
  past_successes: 'earlier charges of the payer that passed (logarithm)',
  past_same_days: 'share of them within two days of this day of the month',
  past_same_hours: 'share of them within three hours of this hour',
  expired: 'the card’s date has passed',
} as const;

export type FeatureName = keyof typeof featureLabels;
export const featureNames = Object.keys(featureLabels) as readonly FeatureName[];
export const featureCount = featureNames.length;

/** A feature's place in a row. */
export const featureAt = Object.fromEntries(featureNames.map((name, at) => [name, at])) as Readonly<
  Record<FeatureName, number>
>;
