import { localHour } from '../local-time.ts';
import type { RetryFacts, TrainingRow } from '../retry-facts.ts';

/** A model opened for one decision: the chance of an approval at each local hour. */
export type OpenChances = (facts: RetryFacts) => (hour: number) => number;

/** A try's chance, and the mean over the days on which it might have been made instead. */
export interface SlotProfile {
  readonly chance: number;
  readonly mean: number;
}

/** The part of the window that a try chooses its day in, over an even part. */
const partsAhead = 1.6;

/** What a model says of each row's day against the other days of the same decision. */
export function slotProfiles(
  rows: readonly TrainingRow[],
  openChances: OpenChances,
): readonly SlotProfile[] {
  return rows.map(({ facts, atMs }) => {
    const chanceAt = openChances(facts);
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const hours = rivalHours(facts, hour);
    const mean = hours.reduce((sum, rival) => sum + chanceAt(rival), 0) / hours.length;
    return { chance: chanceAt(hour), mean };
  });
}

/** The try's hour on each day of its part of the window, its own day included. */
function rivalHours(facts: RetryFacts, hour: number): readonly number[] {
  const from = localHour(facts.nowMs, facts.utcOffsetMinutes) + 1;
  const end = localHour(facts.windowEndsAtMs, facts.utcOffsetMinutes);
  const part = ((end - from) / Math.max(1, facts.triesLeft)) * partsAhead;
  const to = Math.max(hour, Math.min(end, from + part));
  const hours: number[] = [];
  for (let rival = hour; rival >= from; rival -= 24) hours.push(rival);
  for (let rival = hour + 24; rival <= to; rival += 24) hours.push(rival);
  return hours.length === 0 ? [hour] : hours;
}

/**
 * The log losses of a model's choice of days alone, row by row: every model is given the same level
 * for each decision, so that knowing who pays at all, which moves no try, counts for nothing.
 */
export function profileLosses(
  rows: readonly TrainingRow[],
  profiles: readonly SlotProfile[],
  levels: readonly SlotProfile[],
): Float64Array {
  return Float64Array.from(rows, ({ succeeded }, at) => {
    const { chance = 0, mean = 1 } = profiles[at] ?? {};
    const level = levels[at]?.mean ?? 0;
    const given = Math.min(0.98, Math.max(0.001, (level * chance) / Math.max(mean, 1e-6)));
    return -Math.log(succeeded ? given : 1 - given);
  });
}
