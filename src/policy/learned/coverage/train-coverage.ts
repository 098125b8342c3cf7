import { dayMs } from '../../../domain/clock.ts';
import { codeClasses } from '../belief/belief-parameters.ts';
import { dayOfHour, dayOfMonth, localHour, weekdayOf } from '../local-time.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import {
  type CoverageFacts,
  type CoverageModel,
  coverageChance,
  coverageFacts,
  maxTries,
  plainCoverage,
} from './coverage-model.ts';

/** Tries of a usual share that are counted beside those of a day; for the rest, expected successes. */
const heldTo = { dayOfMonth: 10, weekday: 100, rate: 2, tries: 4 } as const;

/** After so long a try counts by half: jobs and banks change. */
const halfLifeMs = 365 * dayMs;

interface Seen {
  readonly facts: CoverageFacts;
  readonly hour: number;
  readonly date: number;
  readonly weekday: number;
  readonly succeeded: boolean;
  readonly weight: number;
}

/**
 * Counts a coverage model from logged tries: the share of passes of each day of the month, with those
 * beside it, and of each weekday, over the share of all; then the level of each class of decline and of
 * each number of tries. Newer
 * tries count more. The same rows give the same model.
 */
export function trainCoverage(rows: readonly TrainingRow[]): CoverageModel {
  const lastMs = rows.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
  const seen = rows.map(({ facts, atMs, succeeded }): Seen => {
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const day = dayOfHour(hour);
    return {
      facts: coverageFacts(facts),
      hour,
      date: dayOfMonth(day) - 1,
      weekday: weekdayOf(day),
      succeeded,
      weight: 0.5 ** ((lastMs - atMs) / halfLifeMs),
    };
  });
  const days = {
    ...plainCoverage,
    daysOfMonth: shares(seen, 31, heldTo.dayOfMonth, ({ date }) => [
      [date, 1],
      // Pay that comes a day early or late is seen beside its day.
      [(date + 1) % 31, 0.5],
      [(date + 30) % 31, 0.5],
    ]),
    weekdays: shares(seen, 7, heldTo.weekday, ({ weekday }) => [[weekday, 1]]),
  };
  const triesAt = ({ facts }: Seen) => Math.min(facts.tries, maxTries - 1);
  const rated = levelled(days, seen, ({ facts }) => facts.codeClass);
  const tries = ratios(rated, seen, maxTries, heldTo.tries, triesAt);
  const tried = { ...rated, tries: Array.from(tries, rounded) };
  return levelled(tried, seen, ({ facts }) => facts.codeClass);
}

type Places = readonly (readonly [place: number, share: number])[];

/** By place: its share of passes over that of all, held to 1 where tries are few. */
function shares(
  seen: readonly Seen[],
  size: number,
  held: number,
  placesOf: (seen: Seen) => Places,
): readonly number[] {
  const [passed, tried] = [new Float64Array(size), new Float64Array(size)];
  for (const item of seen) {
    for (const [place, share] of placesOf(item)) {
      tried[place] = (tried[place] ?? 0) + share * item.weight;
      if (item.succeeded) passed[place] = (passed[place] ?? 0) + share * item.weight;
    }
  }
  const sum = (list: Float64Array) => list.reduce((total, value) => total + value, 0);
  const usual = sum(passed) / sum(tried);
  if (!(usual > 0)) return Array.from({ length: size }, () => 1);
  return Array.from(passed, (count, at) =>
    rounded((count + held * usual) / ((tried[at] ?? 0) + held) / usual),
  );
}

/** The rates at which each class passes as often as it was seen to. */
function levelled(
  model: CoverageModel,
  seen: readonly Seen[],
  classOf: (seen: Seen) => number,
): CoverageModel {
  const by = ratios(model, seen, codeClasses.length, heldTo.rate, classOf);
  return { ...model, rates: model.rates.map((rate, at) => rounded(rate * (by[at] ?? 1))) };
}

/** By place: successes over those expected, both with some more. */
function ratios(
  model: CoverageModel,
  seen: readonly Seen[],
  size: number,
  held: number,
  placeOf: (seen: Seen) => number,
): Float64Array {
  const won = new Float64Array(size).fill(held);
  const expected = new Float64Array(size).fill(held);
  for (const item of seen) {
    const place = placeOf(item);
    if (item.succeeded) won[place] = (won[place] ?? 0) + item.weight;
    const chance = coverageChance(model, item.facts, item.hour);
    expected[place] = (expected[place] ?? 0) + item.weight * chance;
  }
  return won.map((count, at) => count / (expected[at] ?? 1));
}
