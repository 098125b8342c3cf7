import type { Decline } from '../../../domain/declines/decline.ts';
import { debitFundsReasons } from '../../../domain/network-rules/debit-reason.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { cycleCount, cycleNames, cyclePhases, fundedShares } from './pay-cycles.ts';

/**
 * The hypotheses about why a charge failed and when it will pass again: an account with paydays
 * (every phase and share of pay-cycles.ts); a hindrance that ends once and for all after a while
 * (a hold, a limit, a technical failure; no hindrance at all where it ends at once); one that stays.
 */
export const rampEdgesHours = [
  0, 1, 3, 8, 16, 30, 54, 80, 126, 198, 294, 414, 558, 744, 1100,
] as const;
/** Hypotheses in their order: every phase and share of the cycles, then the ramps, then `never`. */
export const rampCount = rampEdgesHours.length - 1;
export const firstRamp = cycleCount;
export const never = cycleCount + rampCount;
export const hypothesisCount = never + 1;

/** What a decline's code hints at. */
export const codeClasses = ['funds', 'generic', 'technical', 'other', 'renewed'] as const;
export type CodeClass = (typeof codeClasses)[number];
/** Codes of later declines; technical ones say nothing of the account. */
export const laterCodes = ['funds', 'generic', 'other'] as const;
/** What a card is funded by: prepaid and debit cards run dry by other rhythms than credit. */
export const fundings = ['debit', 'credit', 'prepaid', 'unknown'] as const;
export const contextCount = codeClasses.length * fundings.length;
/** Hypotheses of one group speak alike: paydays, ramps, never. */
const groupCount = 3;

/** Mastercard's merchant advice codes that tell of time (24 to 30: wait so long; 02: later). */
export const adviceCodes = ['24', '25', '26', '27', '28', '29', '30', '02'] as const;
/** Days to funds, as a hypothesis has them, by which advice is told apart; then longer; then never. */
const adviceEdgesDays = [0, 1, 2, 4, 6, 8, 10, 15] as const;
export const adviceBuckets = adviceEdgesDays.length + 2;

/** Learned chances; every inner list sums to 1. Plain numbers, kept in a model as JSON. */
export interface BeliefParameters {
  /** By context (code class, then funding): cycles, ramps, never. */
  readonly kinds: readonly (readonly number[])[];
  /** By phase; they sum to 1 within each cycle. */
  readonly phases: readonly number[];
  /** By cycle: how long money lasts. */
  readonly shares: readonly (readonly number[])[];
  /** By class, group, and whether the account could pay: the code of a later decline. */
  readonly codes: readonly (readonly number[])[];
  /** By bucket of days to funds: the advice code. */
  readonly advice: readonly (readonly number[])[];
  /** Chance that a charge is declined though the account could pay. */
  readonly falseDecline: number;
  /**
   * Chance that the money of a rhythm is not there though it should be, since pay came late, too small
   * or not at all: by days since the payday (`missedBucket`).
   */
  readonly missed: readonly number[];
}

/** Days since a payday by which missing money is told apart: 0, 1, 2 to 3, and later. */
export const missedBuckets = 4;

/** The place in `missed` of whole days since a payday. */
export function missedBucket(daysSincePayday: number): number {
  if (daysSincePayday < 2) return daysSincePayday;
  return daysSincePayday < 4 ? 2 : 3;
}

/** Of cards, SEPA and ACH. */
const fundsCodes: readonly string[] = ['51', ...debitFundsReasons];

/** What a decline's code hints at, by the network's code where there is one, else by the PSP's name. */
export function codeClassOf(decline: Decline): Exclude<CodeClass, 'renewed'> {
  if (decline.category === 'technical') return 'technical';
  const code = decline.networkCode ?? decline.code;
  if (fundsCodes.includes(code) || /insufficient|not_enough|lacks?_funds/i.test(code))
    return 'funds';
  if (code === '05' || /do_not_honou?r|generic|refused$/i.test(code)) return 'generic';
  return 'other';
}

/** The place in `kinds` of a payment's code class and funding; a renewed card is a class of its own. */
export function contextOf(facts: RetryFacts): number {
  const name = facts.renewedAtMs === undefined ? codeClassOf(facts.firstDecline) : 'renewed';
  return codeClasses.indexOf(name) * fundings.length + fundings.indexOf(facts.funding ?? 'unknown');
}

/** The place of a code's chances in `codes`. */
export function codesRow(context: number, group: number, canPay: boolean): number {
  const codeClass = Math.floor(context / fundings.length);
  return (codeClass * groupCount + group) * 2 + (canPay ? 1 : 0);
}
const codesRows = codeClasses.length * groupCount * 2;

/** The place of a hypothesis within a list of `kinds`: a cycle, a ramp, or never. */
export function kindOf(hypothesis: number): number {
  if (hypothesis >= firstRamp) return cycleNames.length + hypothesis - firstRamp;
  return cyclePhases[Math.floor(hypothesis / fundedShares.length)]?.cycle ?? 0;
}

/** Which hypotheses are of each group, `to` not included. */
export const groupBounds = [
  { from: 0, to: firstRamp },
  { from: firstRamp, to: never },
  { from: never, to: hypothesisCount },
] as const;

/** The group of a hypothesis: 0 paydays, 1 ramps, 2 never. */
export function groupOf(hypothesis: number): number {
  if (hypothesis < firstRamp) return 0;
  return hypothesis < never ? 1 : 2;
}

/** The bucket of the days to funds; negative days stand for never. */
export function adviceBucket(days: number): number {
  if (days < 0) return adviceBuckets - 1;
  let at = 0;
  while (at < adviceEdgesDays.length && days > (adviceEdgesDays[at] ?? 0)) at += 1;
  return at;
}

/** Kinds of hypotheses before anything is learned, by code class; made for no market. */
const startKinds: Readonly<Record<CodeClass, { cycles: number; ramps: number; never: number }>> = {
  funds: { cycles: 0.5, ramps: 0.15, never: 0.35 },
  generic: { cycles: 0.3, ramps: 0.25, never: 0.45 },
  technical: { cycles: 0.02, ramps: 0.95, never: 0.03 },
  other: { cycles: 0.05, ramps: 0.4, never: 0.55 },
  renewed: { cycles: 0.05, ramps: 0.8, never: 0.15 },
};

const named = new Map([
  [1, 5],
  [15, 4],
  [25, 2],
  [30, 4],
  [5, 2],
]);

/** What is believed before any data: days that are known as paydays lead, nothing is excluded. */
export function startBelief(): BeliefParameters {
  const kinds = codeClasses.flatMap((name) =>
    fundings.map(() => {
      const { cycles, ramps, never: stays } = startKinds[name];
      return [
        ...cycleNames.map(() => cycles / cycleNames.length),
        ...Array.from({ length: rampCount }, () => ramps / rampCount),
        stays,
      ];
    }),
  );
  return {
    kinds,
    phases: normalisedByCycle(cyclePhases.map(startPhase)),
    shares: cycleNames.map(() => fundedShares.map(() => 1 / fundedShares.length)),
    codes: Array.from({ length: codesRows }, (_, row) => startCodes(row)),
    advice: Array.from({ length: adviceBuckets }, () => adviceCodes.map(() => 1 / 8)),
    falseDecline: 0.08,
    missed: Array.from({ length: missedBuckets }, () => 0.05),
  };
}

function startPhase({ cycle, phase }: { cycle: number; phase: number }): number {
  switch (cycle) {
    case 0:
      return phase === 5 ? 4 : 1;
    case 1:
      // 1970-01-02 was a Friday, the day after day 0.
      return phase % 7 === 1 ? 4 : 1;
    default:
      return (named.get(phase) ?? 1) + (cycle === 2 ? (named.get(phase + 15) ?? 1) : 0);
  }
}

function startCodes(row: number): readonly number[] {
  const name = codeClasses[Math.floor(row / (groupCount * 2))] ?? 'other';
  if (row % 2 === 1) return [0.1, 0.7, 0.2];
  return laterCodes.map((code) => (code === name ? 0.8 : 0.1 + (name === 'technical' ? 0.23 : 0)));
}

/** Scales the chances of phases to sum to 1 within each cycle. */
export function normalisedByCycle(values: readonly number[]): readonly number[] {
  const sums = cycleNames.map((_, cycle) =>
    values.reduce((sum, value, at) => sum + (cyclePhases[at]?.cycle === cycle ? value : 0), 0),
  );
  return values.map((value, at) => value / (sums[cyclePhases[at]?.cycle ?? 0] ?? 1));
}
