import type { OfMerchants } from '../../domain/access/of-merchants.ts';

/** What the payments of a curve have in common. */
export const cohortParts = ['month', 'policy', 'decline_class'] as const;
export type CohortPart = (typeof cohortParts)[number];

export interface CohortQuery extends OfMerchants {
  /** Of payments that failed at this time or later, and before `to`; an end left out is open. */
  readonly from?: Date;
  readonly to?: Date;
  readonly by: CohortPart;
  /** The service's present time: a payment is in a day of its curve once that day is over for it. */
  readonly now: Date;
}

/** How much of what failed had come back by each day since its failure. */
export interface CohortCurve {
  readonly part: string;
  readonly payments: number;
  readonly days: readonly CohortDay[];
}

export interface CohortDay {
  readonly day: number;
  /** Payments for which it is over. */
  readonly payments: number;
  /** How many of them a retry had recovered by its end. */
  readonly recovered: number;
}

/** Payments of a part by the whole days of their age, and by the day on which they were recovered. */
export interface CohortCell {
  readonly part: string;
  readonly age: number;
  /** Absent: not recovered. */
  readonly wonOn?: number;
  readonly payments: number;
}

/** The longest window that a merchant may set has ended by then. */
export const maxCohortDay = 60;
/** So few payments make no curve. */
const fewest = 10;

/**
 * Each curve from the day of the failure on. A day counts the payments alone for which it is over, so that
 * young ones neither raise nor lower it: what the day may bring yet, as a try in its evening, is not missing. Days
 * that too few of them have behind them are left out.
 */
export function cohortCurves(cells: readonly CohortCell[]): readonly CohortCurve[] {
  const parts = [...new Set(cells.map(({ part }) => part))].toSorted();
  return parts.flatMap((part) => {
    const own = cells.filter((cell) => cell.part === part);
    const days = daysOf(own);
    return days.length === 0 ? [] : [{ part, payments: sumOf(own), days }];
  });
}

function daysOf(cells: readonly CohortCell[]): readonly CohortDay[] {
  const days: CohortDay[] = [];
  for (let day = 0; day <= maxCohortDay; day += 1) {
    const old = cells.filter(({ age }) => age > day);
    const payments = sumOf(old);
    if (payments < fewest) break;
    const recovered = sumOf(old.filter(({ wonOn }) => wonOn !== undefined && wonOn <= day));
    days.push({ day, payments, recovered });
  }
  return days;
}

function sumOf(cells: readonly CohortCell[]): number {
  return cells.reduce((sum, { payments }) => sum + payments, 0);
}
