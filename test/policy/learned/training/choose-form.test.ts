import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { unitOf } from '../../../../src/policy/learned/hash.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { openScorer } from '../../../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import type { TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';
import { chooseForm } from '../../../../src/policy/learned/training/choose-form.ts';
import { splitRows } from '../../../../src/policy/learned/training/split-rows.ts';
import { begin, movedSince, passedOn, payer, telling } from './weekday-payers.ts';

/** All are paid on Wednesdays; what passed before is of any other day. */
const misleading = Array.from({ length: 2_000 }, (_, index) =>
  payer(index, 3, (weekday, failedAtMs) =>
    passedOn((weekday + 2 + Math.floor(unitOf(`${index}`, 'any') * 5)) % 7, failedAtMs),
  ),
);

const choose = (rows: readonly TrainingRow[], prior = priorModel) =>
  chooseForm(prior, {
    rows: [...rows].sort((a, b) => a.atMs - b.atMs),
    parts: splitRows(rows),
    calendar: weekendCalendar,
  });

// Forms are fitted some times over in each: seconds of arithmetic.
describe('the form of the belief', { timeout: 120_000 }, () => {
  it('leaves out the past where it surely misleads, and then is not asked for it', () => {
    expect(choose(misleading)).toMatchObject({ ignoresPast: true });
    const model = { ...priorModel, ignoresPast: true } as const;
    const [row] = misleading;
    if (row === undefined) throw new Error('there are rows');
    const hour = row.facts.nowMs / hourMs + 30;
    const blind = openScorer(model, weekendCalendar, { ...row.facts, past: [] });
    expect(openScorer(model, weekendCalendar, row.facts).score(hour)).toBe(blind.score(hour));
  });

  it('uses the past where it tells, and the prior where too little was seen to do without', () => {
    expect(choose(telling)).not.toHaveProperty('ignoresPast');
    expect(choose(misleading.slice(0, 1_900))).toEqual({ prior: priorModel });
  });

  it('takes the past with its paydays moved where those of all payers moved', () => {
    expect(choose(telling)).not.toHaveProperty('paydayMove');
    const movedMs = begin + 170 * dayMs;
    const { paydayMove, ignoresPast } = choose(movedSince(movedMs));
    expect(ignoresPast).toBeUndefined();
    // Weeks later is as many days earlier.
    expect([2, -5]).toContain(paydayMove?.days);
    expect(Math.abs((paydayMove?.sinceMs ?? 0) - movedMs)).toBeLessThan(6 * dayMs);
  });
});
