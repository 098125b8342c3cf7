import { dayMs } from '../../../domain/clock.ts';
import { codeClasses } from '../belief/belief-parameters.ts';
import type { TrainingRow } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';
import { type CoverageModel, maxTries, plainCoverage } from './coverage-model.ts';
import { chanceInColumns, type TriesInColumns, triesInColumns } from './tries-in-columns.ts';

/** Tries of a usual share that are counted beside those of a day; for the rest, expected successes. */
const heldTo = { dayOfMonth: 10, weekday: 100, rate: 2, tries: 4 } as const;

/** After so long a try counts by half: jobs and banks change. */
const halfLifeMs = 365 * dayMs;

/**
 * Counts a coverage model from logged tries: the share of passes of each day of the month, with those
 * beside it, and of each weekday, over the share of all; then the level of each class of decline and of
 * each number of tries. Newer
 * tries count more. The same rows give the same model.
 */
export function trainCoverage(rows: readonly TrainingRow[]): CoverageModel {
  return countCoverage(triesInColumns(rows));
}

/** The same of tries that were read into columns. */
export function countCoverage(columns: TriesInColumns): CoverageModel {
  const seen = { ...columns, weight: weightsOf(columns) };
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

interface Seen extends TriesInColumns {
  readonly weight: Float64Array;
}

/** What the age of each try leaves of its word. */
function weightsOf({ atMs }: TriesInColumns): Float64Array {
  const lastMs = atMs.reduce((latest, at) => Math.max(latest, at), 0);
  return atMs.map((at) => 0.5 ** ((lastMs - at) / halfLifeMs));
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
    expected[place] = (expected[place] ?? 0) + weight * chanceInColumns(model, seen, at);
  }
  return won.map((count, at) => count / (expected[at] ?? 1));
}
