import { drawsOf } from '../../src/simulator/draws.ts';
import { type Parameters, parameters } from '../../src/simulator/parameters.ts';

/**
 * How often people are paid, as published: shares of weekly, biweekly, semimonthly and monthly pay.
 * - United States: Bureau of Labor Statistics, 2013 and 2019.
 * - United Kingdom: Labour Force Survey, April to June 2015, of those who named a period of pay; every
 *   four weeks counts as biweekly, since it keeps a weekday.
 * - Canada: Ceridian, two thirds every two weeks and a fifth weekly; how the rest is split is a guess.
 * - Monthly: most of continental Europe, a guess.
 */
const countries = {
  unitedStates2013: [0.324, 0.365, 0.198, 0.113],
  unitedStates2019: [0.338, 0.422, 0.186, 0.054],
  unitedKingdom: [0.267, 0.099, 0, 0.634],
  canada: [0.2, 0.667, 0.08, 0.053],
  monthly: [0.03, 0.04, 0.03, 0.9],
} as const;

/** Worlds to make priors from and to choose by, and worlds that nothing was made from. */
const families = { training: 5_151, unseen: 4_242 } as const;

/** A world of a family: figures within what is published or plausible, each world its own. */
export function drawnWorld(family: keyof typeof families, index: number): Parameters {
  const draws = drawsOf(families[family], index, 1);
  const between = (low: number, high: number) => low + draws.unit() * (high - low);
  const names = Object.keys(countries) as (keyof typeof countries)[];
  const name = names[Math.floor(draws.unit() * names.length)] ?? 'monthly';
  const [weeklyShare, biweeklyShare, semimonthlyShare, monthlyShare] = countries[name];
  const debitShare = between(0.5, 0.85);
  return {
    ...parameters,
    payFrequency: { weeklyShare, biweeklyShare, semimonthlyShare, monthlyShare },
    payday: {
      ...parameters.payday,
      fridayShare: between(0.2, 0.8),
      namedDayShare: between(0.1, 0.8),
    },
    funds: {
      fundedBetaA: between(1.2, 3),
      fundedBetaB: between(1.8, 5),
      periodNoiseSd: between(0.04, 0.2),
    },
    deadAccounts: { deadShare: between(0.2, 0.5) },
    fundingOfFunds: {
      debitShare,
      creditShare: between(0.5, 0.9) * (1 - debitShare),
      prepaidShare: 0.05,
    },
    riskBlock: { permanentShare: between(0.4, 0.8), meanDays: between(2, 8) },
    falseDecline: { ...parameters.falseDecline, meanShare: between(0.03, 0.14) },
    advice: { ...parameters.advice, accuracy: between(0, 1), waitAdviceShare: between(0.3, 0.8) },
    cancel: { ...parameters.cancel, perDayShare: between(0.001, 0.008) },
    balance: { chargeShareOfPay: between(0, 0.3), logSd: between(0.3, 0.8) },
    irregularPay: {
      ...parameters.irregularPay,
      lateShare: between(0, 0.15),
      missedShare: between(0, 0.06),
      splitShare: between(0, 0.15),
      smallShare: between(0, 0.2),
    },
    past: { ...parameters.past, monthsHigh: Math.floor(between(0, 13)) },
  };
}
