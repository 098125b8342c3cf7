import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../src/domain/clock.ts';
import { unitOf } from '../../../../src/policy/learned/hash.ts';
import { weekdayOf, weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { openScorer } from '../../../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import type { PastCharge, TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';
import { chooseForm } from '../../../../src/policy/learned/training/choose-form.ts';
import { splitRows } from '../../../../src/policy/learned/training/split-rows.ts';
import { plainFacts } from '../plain-facts.ts';

/** A Monday. */
const begin = Date.UTC(2026, 0, 5);

/** A payer who has money on one weekday and the day after it. */
function payer(
  index: number,
  weekday: number,
  pastOf: (weekday: number, failedAtMs: number) => readonly PastCharge[],
): TrainingRow {
  const failedAtMs = begin + Math.floor(unitOf(`${index}`, 'failed') * 200) * dayMs + 12 * hourMs;
  const paymentId = `in_${index}`;
  const facts = plainFacts(failedAtMs, { paymentId, past: pastOf(weekday, failedAtMs) });
  const atMs = failedAtMs + Math.ceil(unitOf(`${index}`, 'slot') * 20 * 24) * hourMs;
  const name = weekdayOf(Math.floor(atMs / dayMs));
  const hasFunds = name === weekday || name === (weekday + 1) % 7;
  return { facts, atMs, succeeded: hasFunds, propensity: 1 / 480 };
}

/** Charges of the last weeks that passed on a weekday. */
function passedOn(weekday: number, failedAtMs: number): readonly PastCharge[] {
  const failedDay = Math.floor(failedAtMs / dayMs);
  const back = (weekdayOf(failedDay) - weekday + 7) % 7 || 7;
  return [4, 3, 2, 1, 0].map((weeks) => ({
    atMs: (failedDay - back - 7 * weeks) * dayMs + 12 * hourMs,
    succeeded: true,
    amountMinor: 1_000,
  }));
}

/** Each payer is paid on a weekday of their own; their past says which. */
const telling = Array.from({ length: 2_000 }, (_, index) =>
  payer(index, 1 + Math.floor(unitOf(`${index}`, 'weekday') * 5), passedOn),
);

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
    expect(choose(misleading)).toMatchObject({ ignoresPast: true, halfLifeDays: 180 });
    const model = { ...priorModel, ignoresPast: true } as const;
    const [row] = misleading;
    if (row === undefined) throw new Error('there are rows');
    const hour = row.facts.nowMs / hourMs + 30;
    const blind = openScorer(model, weekendCalendar, { ...row.facts, past: [] });
    expect(openScorer(model, weekendCalendar, row.facts).score(hour)).toBe(blind.score(hour));
  });

  it('uses the past where it tells, and the prior where too little was seen to do without', () => {
    expect(choose(telling)).toMatchObject({ ignoresPast: false, halfLifeDays: 180 });
    const few = choose(misleading.slice(0, 1_900));
    expect(few).toEqual({ prior: priorModel, ignoresPast: false, halfLifeDays: 180 });
  });

  it('forgets sooner where the last weeks surely are not as those before', () => {
    const lateMs = begin + 165 * dayMs;
    const steady = Array.from({ length: 12_000 }, (_, index) => payer(index, 3, () => []))
      // A thin past, so that most is of the last weeks.
      .filter(({ facts }, at) => facts.failedAtMs >= lateMs || at % 10 === 0);
    const moved = steady.map((row) => {
      const index = Number(row.facts.paymentId.slice('in_'.length));
      return row.facts.failedAtMs < lateMs ? row : payer(index, 1, () => []);
    });
    expect(choose(moved).halfLifeDays).toBe(21);
  });
});
