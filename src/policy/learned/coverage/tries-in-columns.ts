import { dayOfHour, dayOfMonth, localHour, weekdayOf } from '../local-time.ts';
import type { TrainingRow } from '../retry-facts.ts';
import {
  type CoverageModel,
  chanceBeside,
  coverageFacts,
  factorOfDay,
  leftBesideAll,
  maxTries,
  plainCoverage,
} from './coverage-model.ts';

/** What a coverage model needs of logged tries, in columns: read once, counted again and again. */
export interface TriesInColumns {
  readonly codeClass: Uint8Array;
  /** Tries before it; later ones share the last place. */
  readonly tries: Uint8Array;
  /** Day of the month, from 0. */
  readonly date: Uint8Array;
  readonly weekday: Uint8Array;
  readonly succeeded: Uint8Array;
  readonly atMs: Float64Array;
  /** What the declines before it leave of its chance, by the reach of the plain model, which all share. */
  readonly left: Float64Array;
}

/** Reads logged tries into columns. */
export function triesInColumns(rows: readonly TrainingRow[]): TriesInColumns {
  const { length } = rows;
  const columns: TriesInColumns = {
    codeClass: new Uint8Array(length),
    tries: new Uint8Array(length),
    date: new Uint8Array(length),
    weekday: new Uint8Array(length),
    succeeded: new Uint8Array(length),
    atMs: new Float64Array(length),
    left: new Float64Array(length),
  };
  rows.forEach(({ facts, atMs, succeeded }, at) => {
    const hour = localHour(atMs, facts.utcOffsetMinutes);
    const day = dayOfHour(hour);
    const known = coverageFacts(facts);
    columns.codeClass[at] = known.codeClass;
    columns.tries[at] = Math.min(known.tries, maxTries - 1);
    columns.date[at] = dayOfMonth(day) - 1;
    columns.weekday[at] = weekdayOf(day);
    columns.succeeded[at] = succeeded ? 1 : 0;
    columns.atMs[at] = atMs;
    columns.left[at] = leftBesideAll(plainCoverage, known, hour);
  });
  return columns;
}

/** The tries at some places alone. */
export function columnsAt(columns: TriesInColumns, places: Uint32Array): TriesInColumns {
  const bytes = (column: Uint8Array) => Uint8Array.from(places, (at) => column[at] ?? 0);
  const numbers = (column: Float64Array) => Float64Array.from(places, (at) => column[at] ?? 0);
  return {
    codeClass: bytes(columns.codeClass),
    tries: bytes(columns.tries),
    date: bytes(columns.date),
    weekday: bytes(columns.weekday),
    succeeded: bytes(columns.succeeded),
    atMs: numbers(columns.atMs),
    left: numbers(columns.left),
  };
}

/** The chance that a model counted from such tries gives one of them. */
export function chanceInColumns(model: CoverageModel, columns: TriesInColumns, at: number): number {
  const { codeClass, tries, date, weekday, left } = columns;
  const of = { codeClass: codeClass[at] ?? 0, tries: tries[at] ?? 0 };
  const ofDay = factorOfDay(model, (date[at] ?? 0) + 1, weekday[at] ?? 0);
  return chanceBeside(model, of, ofDay, left[at] ?? 1);
}
