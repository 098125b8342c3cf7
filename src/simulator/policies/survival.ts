import { dayMs } from '../../domain/clock.ts';
import { dayOfMonth, weekdayOf } from '../../policy/learned/local-time.ts';
import { chanceOf } from '../../policy/learned/policy-model.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import { flatLogistic, logisticTerm } from '../../policy/learned/scoring/logistic-model.ts';
import { fitLogistic } from '../../policy/learned/training/logistic.ts';
import { instantOf } from '../calendar.ts';
import type { SimulatedPolicy } from '../observed.ts';
import { gatedPolicy } from './simple-policies.ts';

export interface SurvivalInput {
  readonly windowDays: number;
  readonly maxAttempts: number;
}

/** A try, as the model sees it. */
interface At {
  /** Counted from 1970-01-01. */
  readonly day: number;
  readonly sinceFailureDays: number;
  /** Since the try before, or the failure. */
  readonly sinceLastDays: number;
  readonly tries: number;
}

/** The calendar's columns, one for each day of the month and of the week; then those of the time since and of the tries. */
const calendarColumns = 31 + 7;
const columns = calendarColumns + 4;
/** The pull of each coefficient to 0, of features of deviation 1: of 3, 10, 30 and 100 no other was clearly better on balances. */
const penalty = 30;

/**
 * A survival model to compare with: of the payments that are still unpaid, the share that a try of a day brings
 * in, its hazard in discrete time (Allison 1982): logistic in the day of the month, the weekday, the time since
 * the failure and since the last try, and the tries so far. Tries are placed where the chance that
 * one of them passes is highest, all placements weighed.
 */
export function survivalPolicy(
  rows: readonly TrainingRow[],
  { windowDays, maxAttempts }: SurvivalInput,
): SimulatedPolicy {
  const hazard = fitHazard(rows);
  const plans = new Map<number, readonly number[]>();
  return gatedPolicy('survival', maxAttempts, ({ failedHour, tries }) => {
    const failedDay = Math.floor(instantOf(failedHour).getTime() / dayMs);
    // Declines bring nothing that the model did not know: all that failed on a day have one plan.
    const days =
      plans.get(failedDay) ??
      placed(chancesFrom(hazard, failedDay, windowDays), { windowDays, maxAttempts });
    plans.set(failedDay, days);
    const day = days[tries.length];
    return day === undefined ? undefined : failedHour + day * 24;
  });
}

/** The log odds of a try, as the parts that it is the sum of. */
interface Hazard {
  readonly ofDay: (day: number) => number;
  readonly ofTimes: (at: Omit<At, 'day'>) => number;
}

function fitHazard(rows: readonly TrainingRow[]): Hazard {
  const values = new Float32Array(rows.length * columns);
  rows.forEach(({ facts, atMs }, row) => {
    const lastMs = facts.tries.at(-1)?.atMs ?? facts.failedAtMs;
    const at = {
      day: Math.floor(atMs / dayMs),
      sinceFailureDays: (atMs - facts.failedAtMs) / dayMs,
      sinceLastDays: (atMs - lastMs) / dayMs,
      tries: facts.tries.length,
    };
    fill(values, row * columns, at);
  });
  const matrix = {
    values,
    columns,
    outcomes: Uint8Array.from(rows, ({ succeeded }) => (succeeded ? 1 : 0)),
    weights: new Float32Array(rows.length).fill(1),
  };
  const model = fitLogistic(matrix, Uint32Array.from(rows.keys()), { penalty });
  const flat = flatLogistic(model);
  const sumOf = (at: At, from: number, to: number) => {
    const features = new Float64Array(columns);
    fill(features, 0, at);
    let sum = 0;
    for (let column = from; column < to; column += 1) {
      sum += logisticTerm(flat, column, features[column] ?? 0);
    }
    return sum;
  };
  const noTimes = { sinceFailureDays: 0, sinceLastDays: 0, tries: 0 };
  return {
    ofDay: (day) => model.intercept + sumOf({ day, ...noTimes }, 0, calendarColumns),
    ofTimes: (at) => sumOf({ day: 0, ...at }, calendarColumns, columns),
  };
}

function fill(values: Float32Array | Float64Array, from: number, at: At): void {
  values[from + dayOfMonth(at.day) - 1] = 1;
  values[from + 31 + weekdayOf(at.day)] = 1;
  values[from + calendarColumns] = Math.log1p(at.sinceFailureDays);
  values[from + calendarColumns + 1] = at.sinceFailureDays;
  values[from + calendarColumns + 2] = Math.log1p(at.sinceLastDays);
  values[from + calendarColumns + 3] = at.tries;
}

/** The chance of a try on a day after the failure, after the last one on another and so many in all. */
type ChanceAt = (day: number, last: number, tries: number) => number;

function chancesFrom({ ofDay, ofTimes }: Hazard, failedDay: number, windowDays: number): ChanceAt {
  const ofDays = Array.from({ length: windowDays + 1 }, (_, day) => ofDay(failedDay + day));
  return (day, last, tries) =>
    chanceOf(
      (ofDays[day] ?? 0) + ofTimes({ sinceFailureDays: day, sinceLastDays: day - last, tries }),
    );
}

/** Days after the failure, from the last try backwards: the best that so many tries after a day can reach. */
function placed(chanceAt: ChanceAt, { windowDays, maxAttempts }: SurvivalInput): readonly number[] {
  const best: { readonly worth: number; readonly day: number }[][] = [];
  for (let tries = maxAttempts - 1; tries >= 0; tries -= 1) {
    best[tries] = Array.from({ length: windowDays + 1 }, (_, last) => {
      let found = { worth: 0, day: 0 };
      for (let day = last + 1; day <= windowDays; day += 1) {
        const chance = chanceAt(day, last, tries);
        const worth = chance + (1 - chance) * (best[tries + 1]?.[day]?.worth ?? 0);
        if (worth > found.worth) found = { worth, day };
      }
      return found;
    });
  }
  const days: number[] = [];
  for (let tries = 0, last = 0; tries < maxAttempts; tries += 1) {
    last = best[tries]?.[last]?.day ?? 0;
    if (last === 0) break;
    days.push(last);
  }
  return days;
}
