import { dayMs } from '../../../domain/clock.ts';
import { codeClasses } from '../belief/belief-parameters.ts';
import { dayOfHour, dayOfMonth, localHour, weekdayOf } from '../local-time.ts';
import { lastTryMs } from '../recency.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import {
  type CoverageModel,
  chanceBeside,
  coverageFacts,
  factorOfDay,
  leftBesideAll,
  maxTries,
  plainCoverage,
} from './coverage-model.ts';

/** Tries of a usual share that are counted beside those of a day; for the rest, expected successes. */
const heldTo = { dayOfMonth: 10, weekday: 100, rate: 2, tries: 4 } as const;

/** After so long a try counts by half: jobs and banks change. */
const halfLifeMs = 365 * dayMs;

/** Logged tries in columns. */
interface Seen {
  readonly codeClass: Uint8Array;
  /** Tries before it. */
  readonly tries: Uint8Array;
  /** Day of the month, from 0. */
  readonly date: Uint8Array;
  readonly weekday: Uint8Array;
  readonly succeeded: Uint8Array;
  readonly weight: Float64Array;
  /** What the declines before it leave of its chance. */
  readonly left: Float64Array;
}

/**
 * Counts a coverage model from logged tries: the share of passes of each day of the month, with those
 * beside it, and of each weekday, over the share of all; then the level of each class of decline and of
 * each number of tries. Newer
 * tries count more. The same rows give the same model.
 */
export function trainCoverage(rows: readonly TrainingRow[]): CoverageModel {
  const seen = seenIn(rows);
  const days = {
    ...plainCoverage,
    daysOfMonth: shares(seen, seen.date, 31, heldTo.dayOfMonth, [
      [0, 1],
      // Pay that comes a day early or late is seen beside its day.
      [1, 0.5],
      [30, 0.5],
    ]),
    weekdays: shares(seen, seen.weekday, 7, heldTo.weekday, [[0, 1]]),
  };
  const rated = levelled(days, seen);
  const tries = ratios(rated, seen, seen.tries, maxTries, heldTo.tries);
  return levelled({ ...rated, tries: Array.from(tries, rounded) }, seen);
}

function seenIn(rows: readonly TrainingRow[]): Seen {
  const { length } = rows;
  const seen: Seen = {
    codeClass: new Uint8Array(length),
    tries: new Uint8Array(length),
    date: new Uint8Array(length),
    weekday: new Uint8Array(length),
    succeeded: new Uint8Array(length),
    weight: new Float64Array(length),
    left: new Float64Array(length),
  };
  const lastMs = lastTryMs(rows);
  rows.forEach(({ facts, atMs, succeeded }, at) => {
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const day = dayOfHour(hour);
    const known = coverageFacts(facts);
    seen.codeClass[at] = known.codeClass;
    seen.tries[at] = Math.min(known.tries, maxTries - 1);
    seen.date[at] = dayOfMonth(day) - 1;
    seen.weekday[at] = weekdayOf(day);
    seen.succeeded[at] = succeeded ? 1 : 0;
    seen.weight[at] = 0.5 ** ((lastMs - atMs) / halfLifeMs);
    seen.left[at] = leftBesideAll(plainCoverage, known, hour);
  });
  return seen;
}

/** How far on a try is seen too, and by which share of it. */
type Places = readonly (readonly [further: number, share: number])[];

/** By place: its share of passes over that of all, held to 1 where tries are few. */
function shares(
  { succeeded, weight }: Seen,
  placeOf: Uint8Array,
  size: number,
  held: number,
  places: Places,
): readonly number[] {
  const [passed, tried] = [new Float64Array(size), new Float64Array(size)];
  for (let at = 0; at < placeOf.length; at += 1) {
    for (const [further, share] of places) {
      const place = ((placeOf[at] ?? 0) + further) % size;
      const counted = share * (weight[at] ?? 0);
      tried[place] = (tried[place] ?? 0) + counted;
      if (succeeded[at] === 1) passed[place] = (passed[place] ?? 0) + counted;
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
function levelled(model: CoverageModel, seen: Seen): CoverageModel {
  const by = ratios(model, seen, seen.codeClass, codeClasses.length, heldTo.rate);
  return { ...model, rates: model.rates.map((rate, at) => rounded(rate * (by[at] ?? 1))) };
}

/** By place: successes over those expected, both with some more. */
function ratios(
  model: CoverageModel,
  seen: Seen,
  placeOf: Uint8Array,
  size: number,
  held: number,
): Float64Array {
  const won = new Float64Array(size).fill(held);
  const expected = new Float64Array(size).fill(held);
  for (let at = 0; at < placeOf.length; at += 1) {
    const place = placeOf[at] ?? 0;
    const weight = seen.weight[at] ?? 0;
    if (seen.succeeded[at] === 1) won[place] = (won[place] ?? 0) + weight;
    const of = { codeClass: seen.codeClass[at] ?? 0, tries: seen.tries[at] ?? 0 };
    const day = factorOfDay(model, (seen.date[at] ?? 0) + 1, seen.weekday[at] ?? 0);
    const chance = chanceBeside(model, of, day, seen.left[at] ?? 1);
    expected[place] = (expected[place] ?? 0) + weight * chance;
  }
  return won.map((count, at) => count / (expected[at] ?? 1));
}
