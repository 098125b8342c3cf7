import { type Parameters, parameters } from '../../src/simulator/parameters.ts';

/** A world to test in: the published one with some figures changed. */
export interface BenchWorld {
  readonly name: string;
  readonly parameters: Parameters;
}

const { falseDecline, velocity, advice } = parameters;

function world(name: string, change: Partial<Parameters> = {}): BenchWorld {
  return { name, parameters: { ...parameters, ...change } };
}

/** Funds that come back once, at any day: no payday of any calendar is in them. */
const noCalendar = { debitShare: 0, creditShare: 1, prepaidShare: 0 };

/** What policies are judged in: the published world, and worlds of other figures. */
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
