import { type Parameters, parameters } from '../../src/simulator/parameters.ts';

/** A world to train or to test in: the published one with some figures changed. */
export interface BenchWorld {
  readonly name: string;
  readonly parameters: Parameters;
}

const { funds, deadAccounts, falseDecline, velocity, advice, riskBlock, payday } = parameters;

/** Paid once a month, as most of Europe and India. */
const monthly = {
  weeklyShare: 0.03,
  biweeklyShare: 0.04,
  semimonthlyShare: 0.03,
  monthlyShare: 0.9,
};

function world(name: string, change: Partial<Parameters> = {}): BenchWorld {
  return { name, parameters: { ...parameters, ...change } };
}

/** Paydays at any day: none is better known than another. */
const anyDay = { ...payday, fridayShare: 0.2, namedDayShare: 0 };

/**
 * What the shipped prior is made from: many kinds of payers and issuers, so that no figure of one
 * world is taken for a law.
 */
export const priorWorlds: readonly BenchWorld[] = [
  world('base'),
  world('monthly', { payFrequency: monthly }),
  world('any day', { payday: anyDay }),
  world('money lasts', { funds: { ...funds, fundedBetaA: 3, fundedBetaB: 2 } }),
  world('money is gone soon', { funds: { ...funds, fundedBetaA: 1.2, fundedBetaB: 5 } }),
  world('useless advice', { advice: { ...advice, accuracy: 0 } }),
  world('exact advice', { advice: { ...advice, accuracy: 1 } }),
  world('fewer dead accounts', {
    deadAccounts: { ...deadAccounts, deadShare: 0.2 },
    riskBlock: { ...riskBlock, permanentShare: 0.4 },
  }),
  world('harsh', {
    falseDecline: { ...falseDecline, meanShare: 0.15 },
    velocity: { ...velocity, within24HoursShare: 0.2, perFurtherTryShare: 0.04 },
  }),
  world('monthly, any day', { payFrequency: monthly, payday: anyDay }),
];

/** Funds that come back once, at any day: no payday of any calendar is in them. */
const noCalendar = { debitShare: 0, creditShare: 1, prepaidShare: 0 };

/** What policies are judged in: the published world, and worlds of other figures than any above. */
export const heldOutWorlds = {
  base: world('base'),
  otherFigures: world('other figures', {
    payFrequency: {
      weeklyShare: 0.15,
      biweeklyShare: 0.3,
      semimonthlyShare: 0.15,
      monthlyShare: 0.4,
    },
    funds: { fundedBetaA: 2.2, fundedBetaB: 2.6, periodNoiseSd: 0.12 },
    deadAccounts: { deadShare: 0.3 },
    riskBlock: { permanentShare: 0.6, meanDays: 6 },
  }),
  noCalendar: world('no calendar', { fundingOfFunds: noCalendar }),
  uselessAdvice: world('useless advice', {
    advice: { ...advice, accuracy: 0, waitAdviceShare: 0.5 },
  }),
  harsh: world('harsh issuers', {
    falseDecline: { ...falseDecline, meanShare: 0.13 },
    velocity: { ...velocity, within24HoursShare: 0.18, perFurtherTryShare: 0.05 },
  }),
  drift: world('drift', {
    drift: { ...parameters.drift, monthlySd: 0.05, paydayShiftDays: 3, strictFactor: 6 },
  }),
} as const;
