import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  type CohortCell,
  cohortCurves,
  maxCohortDay,
} from '../../../src/recovery/reports/cohorts.ts';

/** Of payments that fail at every hour, tried once so many hours after it; each try recovers one in four. */
function cellsOf(hours: number, triedAfter: number): readonly CohortCell[] {
  return Array.from({ length: hours * 4 }, (_, at) => {
    const ageHours = Math.floor(at / 4);
    const isWon = at % 4 === 0 && ageHours >= triedAfter;
    const cell = { part: 'all', age: Math.floor(ageHours / 24), payments: 1 };
    return isWon ? { ...cell, wonOn: Math.floor(triedAfter / 24) } : cell;
  });
}

it('a curve is not pulled down by payments whose try of that day is still to come', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 48, max: 24 * 20 }),
      fc.integer({ min: 0, max: 24 * 15 }),
      (hours, triedAfter) => {
        const [curve] = cohortCurves(cellsOf(hours, triedAfter));
        for (const { day, payments, recovered } of curve?.days ?? []) {
          expect(recovered / payments).toBe(day < Math.floor(triedAfter / 24) ? 0 : 0.25);
        }
      },
    ),
  );
});

it('a curve ends where too few payments have a day behind them, and with the longest window', () => {
  const old = { part: 'all', payments: 10, age: maxCohortDay + 1 };
  expect(cohortCurves([old])[0]?.days.at(-1)).toEqual({
    day: maxCohortDay,
    payments: 10,
    recovered: 0,
  });
  expect(
    cohortCurves([
      { ...old, age: 3 },
      { ...old, age: 1, payments: 9 },
    ])[0]?.days,
  ).toHaveLength(3);
  expect(cohortCurves([{ ...old, age: 0 }])).toEqual([]);
});
