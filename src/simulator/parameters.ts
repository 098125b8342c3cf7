import type { ParameterRow } from './parameter-row.ts';

const recurlyDunning = 'Recurly, "dunning": the mean share of recurring charges that fail';
const fitted = 'fitted to the acceptance targets';

/**
 * Every figure of the simulated world, with its source or the mark of a guess. Shares are from 0 to
 * 1; a mix sums to 1. docs/simulator.md is generated from here.
 */
export const parameterRows = {
  firstAttempt: row({
    row: 1,
    block: 'first attempt',
    words:
      'Share of first charges that are declined, with its range. The world begins at failures.',
    values: { declineShare: 0.13, declineShareLow: 0.06, declineShareHigh: 0.18 },
    source: recurlyDunning,
    usedBy: 'engine',
  }),
  cause: row({
    row: 2,
    block: 'cause of the first failure',
    words: 'Why the first charge failed. Only funds is published; the rest is fitted.',
    values: {
      fundsShare: 0.57,
      blockShare: 0.11,
      falseDeclineShare: 0.04,
      lifecycleShare: 0.17,
      technicalShare: 0.03,
      terminalShare: 0.08,
    },
    source: `Primer, "payment retry strategies": 56 % for want of funds; the rest ${fitted}`,
    guess: true,
    usedBy: 'world',
  }),
  funding: row({
    row: 3,
    block: 'card funding',
    words: 'Kinds of cards among payers who failed for another reason than funds.',
    values: { debitShare: 0.47, creditShare: 0.49, prepaidShare: 0.04 },
    source: 'Recurly, "how do you compare": consumers 53 % credit, 47 % debit; prepaid is a guess',
    guess: true,
    usedBy: 'world',
  }),
  fundingOfFunds: row({
    row: 4,
    block: 'card funding, given want of funds',
    words: 'Kinds of cards among payers without funds.',
    values: { debitShare: 0.74, creditShare: 0.2, prepaidShare: 0.06 },
    source: 'direction from Recurly: 29.0 % of debit declines and 6.9 % of credit ones',
    guess: true,
    usedBy: 'world',
  }),
  payFrequency: row({
    row: 5,
    block: 'pay frequency',
    words: 'How often payers are paid, in the United States.',
    values: {
      weeklyShare: 0.324,
      biweeklyShare: 0.365,
      semimonthlyShare: 0.198,
      monthlyShare: 0.113,
    },
    source: 'US Bureau of Labor Statistics, 2014-06-05: length of pay periods',
    usedBy: 'world',
  }),
  payday: row({
    row: 6,
    block: 'payday',
    words:
      'Weekly and biweekly pay: Friday, else Monday to Thursday. Monthly and semimonthly: one of five days of the month, else any day. Before weekends and US federal holidays: the business day before.',
    values: {
      fridayShare: 0.7,
      namedDayShare: 0.6,
      day1Share: 0.3,
      day15Share: 0.25,
      day30Share: 0.25,
      day25Share: 0.1,
      day5Share: 0.1,
    },
    source: 'direction from ProfitWell: charges do best on the 1st and the 15th',
    guess: true,
    usedBy: 'world',
  }),
  funds: row({
    row: 7,
    block: 'funds',
    words:
      'Share of each pay period, from payday on, in which the account is funded: a Beta for each payer, with noise for each period; dry at the first failure.',
    values: { fundedBetaA: 1.7, fundedBetaB: 2.3, periodNoiseSd: 0.08 },
    source: fitted,
    guess: true,
    usedBy: 'world',
  }),
  deadAccounts: row({
    row: 8,
    block: 'dead accounts',
    words: 'Share of the payers without funds whose account takes in nothing more.',
    values: { deadShare: 0.41 },
    source: `${fitted} of total recovery`,
    guess: true,
    usedBy: 'world',
  }),
  creditLimit: row({
    row: 9,
    block: 'credit over its limit',
    words: 'Days until the statement is paid and the limit freed, uniform.',
    values: { freedAfterDaysLow: 1, freedAfterDaysHigh: 30 },
    source: 'direction from Rebilly: retry credit cards after their due date',
    guess: true,
    usedBy: 'world',
  }),
  balance: row({
    row: 10,
    block: 'balance',
    words:
      'What an account holds sinks evenly from a pay to nothing over the funded stretch of row 7, and a charge passes while it is covered: charges of the median amount as a share of a pay, and the deviation of that share among payers (logarithms). 0: amounts do not matter, as here; the family of worlds draws it.',
    values: { chargeShareOfPay: 0, logSd: 0.5 },
    source: 'balances of a bank’s customers sink so; the figures are guesses',
    guess: true,
    usedBy: 'world',
  }),
  riskBlock: row({
    row: 11,
    block: 'risk block',
    words: 'Share that lasts until the payer acts; the others end after an exponential time.',
    values: { permanentShare: 0.7, meanDays: 4 },
    source: `direction from Recurly: holds recover over 3 to 12 days; ${fitted}`,
    guess: true,
    usedBy: 'world',
  }),
  falseDecline: row({
    row: 12,
    block: 'false decline',
    words:
      'Chance that a sound charge is declined: a Beta for each issuer, of this mean and this many pseudo-observations.',
    values: { meanShare: 0.06, pseudoObservations: 40, issuers: 30 },
    source: 'level is a guess; spread as between Indian banks in the statistics of NPCI',
    guess: true,
    usedBy: 'world',
  }),
  hourOfDay: row({
    row: 13,
    block: 'hour of the day',
    words: 'Factors on false declines by the local hour: 01 to 04, and 18 to 24.',
    values: { nightFactor: 1.5, eveningFactor: 1.1 },
    source: 'Recurly, "credit card declines: time of day is critical": 1.44 to 1.55 at night',
    usedBy: 'world',
  }),
  velocity: row({
    row: 14,
    block: 'retry velocity',
    words:
      'Added to the chance of a false decline: within 24 hours of the last try, and for each try beyond three in 7 days.',
    values: { within24HoursShare: 0.1, freeTriesIn7Days: 3, perFurtherTryShare: 0.02 },
    source: 'direction from FlexPay and Butter',
    guess: true,
    usedBy: 'world',
  }),
  outage: row({
    row: 15,
    block: 'issuer outage',
    words: 'Days between the outages of an issuer; their lognormal length.',
    values: { everyDays: 14, medianMinutes: 40, p95Minutes: 360 },
    source: 'level below the median of technical declines of Indian banks (NPCI), 2.1 %',
    guess: true,
    usedBy: 'world',
  }),
  technical: row({
    row: 16,
    block: 'technical failure',
    words: 'A technical cause of the first failure clears after an exponential time.',
    values: { meanHours: 6 },
    guess: true,
    usedBy: 'world',
  }),
  lifecycle: row({
    row: 17,
    block: 'card lifecycle',
    words: 'What befell the card: expired (54), number closed (14), lost or stolen (41).',
    values: { expiredShare: 0.45, closedShare: 0.3, lostShare: 0.25 },
    source: `${fitted}: 7, 5 and 4 % of first failures`,
    guess: true,
    usedBy: 'world',
  }),
  updater: row({
    row: 18,
    block: 'account updater',
    words: 'Share of the lifecycle failures that it cures, after an exponential time.',
    values: { curedShare: 0.18, meanDays: 3 },
    source: `below what vendors claim (60 to 80 %), since updates before billing are not failures; ${fitted}`,
    guess: true,
    usedBy: 'world',
  }),
  codes: row({
    row: 19,
    block: 'code emission',
    words:
      'Share of each cause that the issuer hides behind 05. Else: funds 51; blocks 59, 61, 65; terminal R0, R1, 57.',
    values: { fundsAs05Share: 0.26, blockAs05Share: 0.75, terminalAs05Share: 0.35 },
    source: `${fitted}: 51 is 42 %, 05 is 30 % and half of it want of funds (Adyen, second hand); Visa rewrites 57 and 59 to 05`,
    guess: true,
    usedBy: 'world',
  }),
  advice: row({
    row: 20,
    block: 'advice codes',
    words:
      'Share of the Mastercard 51 with advice 24 to 30, else 02. The wait is the true time to funds with noise of this deviation at accuracy 0.5: none at 1, useless at 0. Terminal causes carry 03 or 21.',
    values: { waitAdviceShare: 0.7, noiseSdDays: 2, accuracy: 0.5 },
    source: "the codes are Mastercard's; share and accuracy are guesses",
    guess: true,
    usedBy: 'world',
  }),
  payerUpdate: row({
    row: 21,
    block: 'payer updates the method',
    words:
      'Chance on each day that the payer, reminded by mail, pays with another method; a factor after declines that forbid a retry.',
    values: {
      day1Share: 0.047,
      days2To3Share: 0.021,
      days4To14Share: 0.008,
      laterShare: 0.0035,
      hardCodeFactor: 1.6,
    },
    source: `${fitted}: 37 to 40 % of recoveries are not by retries (Churn Buster)`,
    guess: true,
    usedBy: 'world',
  }),
  cancel: row({
    row: 22,
    block: 'cancellation',
    words: 'Chance that the payer cancels: on each day, and after each failed try.',
    values: { perDayShare: 0.004, perFailedTryShare: 0.012 },
    source: 'below 27 % lost after a decline (PYMNTS and FlexPay)',
    guess: true,
    usedBy: 'world',
  }),
  amount: row({
    row: 23,
    block: 'amount',
    words: 'Lognormal, in the currency; annual plans are a share and cost a multiple.',
    values: { medianMinor: 2_000, logSd: 0.8, annualShare: 0.1, annualFactor: 10 },
    guess: true,
    usedBy: 'world',
  }),
  merchant: row({
    row: 24,
    block: 'merchant',
    words:
      'Windows and budgets to compare; reduced amounts after day 14; failing look-ups of the retry status.',
    values: {
      windowDays: [14, 28, 60],
      tries: [4, 8, 15],
      reducedAmountShare: 0.2,
      lookupDownShare: 0.005,
    },
    guess: true,
    usedBy: 'engine',
  }),
  costs: row({
    row: 25,
    block: 'costs',
    words:
      "Each authorisation; Mastercard's fee of a 51 with advice 24 to 30; what a lost subscriber is worth, in charges. Fees beyond limits do not arise: such tries are refused.",
    values: {
      authorisationMicros: 100_000,
      waitAdviceMicros: 20_000,
      lostSubscriberCharges: 7,
    },
    source: 'Braintree (advice fee); Stripe and Pagos: a recovered payer stays 7 months more',
    guess: true,
    usedBy: 'world',
  }),
  limits: row({
    row: 26,
    block: 'network limits',
    words:
      'The limits themselves are those of docs/network-rules.md, as the service judges them. Here: which network a card is of.',
    values: { visaShare: 0.6, mastercardShare: 0.4 },
    source: 'limits: docs/network-rules.md; shares of the networks are a guess',
    guess: true,
    usedBy: 'world',
  }),
  drift: row({
    row: 27,
    block: 'drift',
    words:
      'Monthly random walk of the issuers; once a year paydays shift and one issuer turns strict by a factor. Failures are spread over so many days.',
    values: { monthlySd: 0.02, paydayShiftDays: 1, strictFactor: 2, spreadDays: 365 },
    guess: true,
    usedBy: 'world',
  }),
  delay: row({
    row: 28,
    block: 'delay of webhooks',
    words: "Seconds until an outcome's webhook comes; shares that come twice or over an hour late.",
    values: { delaySecondsHigh: 60, duplicatedShare: 0.01, lateShare: 0.005 },
    guess: true,
    usedBy: 'engine',
  }),
  irregularPay: row({
    row: 29,
    block: 'irregular pay',
    words:
      'Shares of the pays that come late, by up to so many days; not at all; in two halves, the second up to so many days later; or smaller, by a factor. None in the published world; the family of worlds draws them.',
    values: {
      lateShare: 0,
      lateDaysHigh: 5,
      missedShare: 0,
      splitShare: 0,
      splitDaysHigh: 7,
      smallShare: 0,
      smallFactorLow: 0.2,
      smallFactorHigh: 0.7,
    },
    source: 'kinds of pay as seen in balances of a bank’s customers; the figures are guesses',
    guess: true,
    usedBy: 'world',
  }),
  past: row({
    row: 30,
    block: 'past of the payer',
    words:
      'Earlier charges of the same amount, one a month on the day of the failure: up to so many, evenly. One that the account did not cover was tried again at so many hours, drawn from the days after it, until one passed.',
    values: { monthsHigh: 12, tries: 4, withinDays: 28 },
    guess: true,
    usedBy: 'world',
  }),
  messages: row({
    row: 31,
    block: 'messages to customers',
    words:
      'Of `recoup simulate messages` alone. Share of the first, second and each further message whose link is opened; share of these who give a working method, after an exponential time; share of messages that make a payer cancel; what is left of row 21 without any mail.',
    values: {
      openedFirstShare: 0.1121,
      openedSecondShare: 0.0764,
      openedFurtherShare: 0.0672,
      finishedShare: 0.5,
      meanHours: 12,
      cancelShare: 0.002,
      unremindedShare: 0.5,
    },
    source:
      'links opened of over a million mails on the day of the failure, 3 and 7 days later: Baremetrics, "improve your dunning email recovery rate"; all else is a guess',
    guess: true,
    usedBy: 'world',
  }),
};

type Rows = typeof parameterRows;

/** The figures alone, as a world takes them. */
export type Parameters = { readonly [Name in keyof Rows]: Readonly<Rows[Name]['values']> };

/** The world as it is published: vary a copy. */
export const parameters: Parameters = Object.fromEntries(
  Object.entries(parameterRows).map(([name, { values }]) => [name, values]),
) as Parameters;

function row<Values extends object>(item: ParameterRow<Values>): ParameterRow<Values> {
  return item;
}
