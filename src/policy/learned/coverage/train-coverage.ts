import { dayMs } from '../../../domain/clock.ts';
import { codeClasses } from '../belief/belief-parameters.ts';
import { dayOfHour, dayOfMonth, localHour, weekdayOf } from '../local-time.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import {
  type CoverageModel,
  chanceOf,
  coverageFacts,
  leftByDeclines,
  maxTries,
  plainCoverage,
} from './coverage-model.ts';

/** Tries of a usual share that are counted beside those of a day; for the rest, expected successes. */
const heldTo = { dayOfMonth: 10, weekday: 100, rate: 2, tries: 4 } as const;

/** After so long a try counts by half: jobs and banks change. */
const halfLifeMs = 365 * dayMs;

/** What is counted of each try, in columns: a million objects would be collected for longer than they are counted. */
interface Seen {
  readonly codeClasses: Uint8Array;
  /** Tries before it. */
  readonly tries: Uint8Array;
  /** Days of the month, from 0. */
  readonly dates: Uint8Array;
  readonly weekdays: Uint8Array;
  readonly succeeded: Uint8Array;
  readonly weights: Float64Array;
  /** What the declines before it left of its chance. */
  readonly left: Float64Array;
}

/**
 * Counts a coverage model from logged tries: the share of passes of each day of the month, with those
 * beside it, and of each weekday, over the share of all; then the level of each class of decline and of
 * each number of tries. Newer
 * tries count more. The same rows give the same model.
 */
export function trainCoverage(rows: readonly TrainingRow[]): CoverageModel {
  const seen = seenOf(rows);
  const days = {
    ...plainCoverage,
    daysOfMonth: shares(seen, { size: 31, held: heldTo.dayOfMonth }, seen.dates, (date) => [
      [date, 1],
      // Pay that comes a day early or late is seen beside its day.
      [(date + 1) % 31, 0.5],
      [(date + 30) % 31, 0.5],
    ]),
    weekdays: shares(seen, { size: 7, held: heldTo.weekday }, seen.weekdays, (weekday) => [
      [weekday, 1],
    ]),
  };
  const rated = levelled(days, seen);
  const tries = ratios(rated, seen, { size: maxTries, held: heldTo.tries }, seen.tries);
  return levelled({ ...rated, tries: Array.from(tries, rounded) }, seen);
}

function seenOf(rows: readonly TrainingRow[]): Seen {
  const count = rows.length;
  const lastMs = rows.reduce((latest, { atMs }) => Math.max(latest, atMs), 0);
  const seen: Seen = {
    codeClasses: new Uint8Array(count),
    tries: new Uint8Array(count),
    dates: new Uint8Array(count),
    weekdays: new Uint8Array(count),
    succeeded: new Uint8Array(count),
    weights: new Float64Array(count),
    left: new Float64Array(count),
  };
  rows.forEach(({ facts, atMs, succeeded }, at) => {
    const known = coverageFacts(facts);
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const day = dayOfHour(hour);
    seen.codeClasses[at] = known.codeClass;
    seen.tries[at] = Math.min(known.tries, maxTries - 1);
    seen.dates[at] = dayOfMonth(day) - 1;
    seen.weekdays[at] = weekdayOf(day);
    seen.succeeded[at] = succeeded ? 1 : 0;
    seen.weights[at] = 0.5 ** ((lastMs - atMs) / halfLifeMs);
    seen.left[at] = leftByDeclines(plainCoverage, known, hour);
  });
  return seen;
}

/** How many places are counted, and how many usual tries are counted with those of each. */
interface Counted {
  readonly size: number;
  readonly held: number;
}

type Places = readonly (readonly [place: number, share: number])[];

/** By place: its share of passes over that of all, held to 1 where tries are few. */
function shares(
  { succeeded, weights }: Seen,
  { size, held }: Counted,
  values: Uint8Array,
  placesOf: (value: number) => Places,
): readonly number[] {
  const places = Array.from({ length: size }, (_, value) => placesOf(value));
  const [passed, tried] = [new Float64Array(size), new Float64Array(size)];
  for (let at = 0; at < values.length; at += 1) {
    const weight = weights[at] ?? 0;
    for (const [place, share] of places[values[at] ?? 0] ?? []) {
      tried[place] = (tried[place] ?? 0) + share * weight;
      if (succeeded[at] === 1) passed[place] = (passed[place] ?? 0) + share * weight;
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
  const counted = { size: codeClasses.length, held: heldTo.rate };
  const by = ratios(model, seen, counted, seen.codeClasses);
  return { ...model, rates: model.rates.map((rate, at) => rounded(rate * (by[at] ?? 1))) };
}

/** By place: successes over those expected, both with some more. */
function ratios(
  model: CoverageModel,
  seen: Seen,
  { size, held }: Counted,
  places: Uint8Array,
): Float64Array {
  const won = new Float64Array(size).fill(held);
  const expected = new Float64Array(size).fill(held);
  for (let at = 0; at < places.length; at += 1) {
    const place = places[at] ?? 0;
    const weight = seen.weights[at] ?? 0;
    if (seen.succeeded[at] === 1) won[place] = (won[place] ?? 0) + weight;
    expected[place] = (expected[place] ?? 0) + weight * chanceAt(model, seen, at);
  }
  return won.map((count, at) => count / (expected[at] ?? 1));
}

function chanceAt(model: CoverageModel, seen: Seen, at: number): number {
  const day =
    (model.daysOfMonth[seen.dates[at] ?? 0] ?? 1) * (model.weekdays[seen.weekdays[at] ?? 0] ?? 1);
  const facts = { codeClass: seen.codeClasses[at] ?? 0, tries: seen.tries[at] ?? 0 };
  return chanceOf(model, facts, day, seen.left[at] ?? 1);
}
