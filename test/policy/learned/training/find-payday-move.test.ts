import { describe, expect, it } from 'vitest';
import { dayMs } from '../../../../src/domain/clock.ts';
import type { PaydayMove } from '../../../../src/policy/learned/features/known-past.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import type { TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';
import { findPaydayMove } from '../../../../src/policy/learned/training/find-payday-move.ts';
import { begin, movedSince, telling } from './weekday-payers.ts';

const find = (rows: readonly TrainingRow[], known?: PaydayMove) =>
  findPaydayMove({
    rows: [...rows].sort((a, b) => a.atMs - b.atMs),
    calendar: weekendCalendar,
    belief: priorModel.belief,
    known,
  });

const movedMs = begin + 170 * dayMs;
const moved = movedSince(movedMs);
/** Two days later, by the weeks that these payers are paid by. */
const right: PaydayMove = { sinceMs: movedMs, days: 2 };

describe('a move of the paydays of all', { timeout: 60_000 }, () => {
  it('is found by tries since then, with its days and its time', () => {
    const found = find(moved);
    expect([2, -5]).toContain(found?.days);
    expect(Math.abs((found?.sinceMs ?? 0) - movedMs)).toBeLessThan(6 * dayMs);
  });

  it('is not found where nothing moved, nor where no past is known', () => {
    expect(find(telling)).toBeUndefined();
    const unknown = moved.map((row) => ({ ...row, facts: { ...row.facts, past: [] } }));
    expect(find(unknown)).toBeUndefined();
  });

  it('stays once it is known while too few tries would find it', () => {
    const early = moved.filter(({ atMs }) => atMs < movedMs + 3 * dayMs);
    expect(find(early)).toBeUndefined();
    expect(find(early, right)).toEqual(right);
  });

  it('gives way to another that foretells surely better', () => {
    expect([2, -5]).toContain(find(moved, { sinceMs: movedMs, days: 4 })?.days);
  });

  it('takes the place of a wrong one that was found a month before', () => {
    const found = find(moved, { sinceMs: movedMs - 28 * dayMs, days: -2 });
    expect([2, -5]).toContain(found?.days);
    expect(Math.abs((found?.sinceMs ?? 0) - movedMs)).toBeLessThan(6 * dayMs);
  });

  it('is given up where none foretells better', () => {
    expect(find(telling, right)).toBeUndefined();
  });
});
