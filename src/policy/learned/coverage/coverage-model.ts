import { type CodeClass, codeClasses, codeClassOf } from '../belief/belief-parameters.ts';
import { dayOfHour, dayOfMonth, localHour, weekdayOf } from '../local-time.ts';
import type { RetryFacts } from '../retry-facts.ts';

/**
 * The plainest model that learns: how often tries pass on each day of the month and of the week, and
 * how far a decline speaks for the days around it. A chance is the product of its factors.
 */
export interface CoverageModel {
  /** By the class of the last decline: the chance of a try far from every decline. */
  readonly rates: readonly number[];
  /** By class: days over which a decline's word fades; 0 where declines say nothing of other hours. */
  readonly reachDays: readonly number[];
  /** Factors: by day of the month from 1, by weekday from Sunday, by tries before. */
  readonly daysOfMonth: readonly number[];
  readonly weekdays: readonly number[];
  readonly tries: readonly number[];
}

/** Tries before which a factor of its own is learned; later ones share the last. */
export const maxTries = 8;
const [minChance, maxChance] = [0.0005, 0.98];

/** Says nothing yet: planned by it, tries are spread over the window. */
export const plainCoverage: CoverageModel = {
  rates: codeClasses.map(() => 0.3),
  reachDays: codeClasses.map((name) => (name === 'technical' || name === 'renewed' ? 0 : 3)),
  daysOfMonth: Array.from({ length: 31 }, () => 1),
  weekdays: Array.from({ length: 7 }, () => 1),
  tries: Array.from({ length: maxTries }, () => 1),
};

/** What a decision knows before a slot is chosen. Hours are local. */
export interface CoverageFacts {
  readonly codeClass: number;
  /** Of the failure and of each declined try. */
  readonly declinedHours: readonly number[];
  readonly tries: number;
}

/** What the rule needs of a payment's facts. After a renewal of the card, only what followed it counts. */
export function coverageFacts(facts: RetryFacts): CoverageFacts {
  const { failedAtMs, renewedAtMs, firstDecline, tries, utcOffsetMinutes } = facts;
  const last = tries.at(-1)?.decline ?? firstDecline;
  const anchorMs = renewedAtMs ?? failedAtMs;
  const declinedHours: number[] = [];
  if (renewedAtMs === undefined) declinedHours.push(localHour(failedAtMs, utcOffsetMinutes));
  for (const { atMs } of tries) {
    if (atMs >= anchorMs) declinedHours.push(localHour(atMs, utcOffsetMinutes));
  }
  // Without a renewal there is the failure.
  const name: CodeClass = declinedHours.length === 0 ? 'renewed' : codeClassOf(last);
  return { codeClass: codeClasses.indexOf(name), declinedHours, tries: tries.length };
}

/** The factor of a slot's day alone, of the class's rate. */
export function dayFactor(model: CoverageModel, hour: number): number {
  const day = dayOfHour(hour);
  return factorOfDay(model, dayOfMonth(day), weekdayOf(day));
}

/** The same of a day of the month, from 1, and a weekday. */
export function factorOfDay(model: CoverageModel, date: number, weekday: number): number {
  return (model.daysOfMonth[date - 1] ?? 1) * (model.weekdays[weekday] ?? 1);
}

/** What a decline leaves of a chance so many hours before or after it; from 0 to 1. */
export function leftBeside(reachDays: number, hours: number): number {
  return reachDays === 0 ? 1 : 1 - Math.exp(-Math.abs(hours) / 24 / reachDays);
}

/** What all declines that are known leave of a chance at an hour; from 0 to 1. */
export function leftBesideAll(
  { reachDays }: Pick<CoverageModel, 'reachDays'>,
  { codeClass, declinedHours }: CoverageFacts,
  hour: number,
): number {
  const reach = reachDays[codeClass] ?? 0;
  let left = 1;
  for (const declined of declinedHours) left *= leftBeside(reach, hour - declined);
  return left;
}

/** The chance of an approval at an hour, after all declines that are known. */
export function coverageChance(model: CoverageModel, facts: CoverageFacts, hour: number): number {
  return chanceBeside(model, facts, dayFactor(model, hour), leftBesideAll(model, facts, hour));
}

/** The same, where the factor of the day and what declines leave beside them are known. */
export function chanceBeside(
  { rates, tries }: CoverageModel,
  of: Pick<CoverageFacts, 'codeClass' | 'tries'>,
  factorOfDay: number,
  left: number,
): number {
  const usual = (rates[of.codeClass] ?? 0) * factorOfDay;
  const chance = usual * (tries[Math.min(of.tries, maxTries - 1)] ?? 1) * left;
  return Math.min(maxChance, Math.max(minChance, chance));
}
