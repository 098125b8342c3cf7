import { describe, expect, it } from 'vitest';
import { dayMs, hourMs } from '../../../../src/domain/clock.ts';
import type { Decline } from '../../../../src/domain/declines/decline.ts';
import {
  adviceCodes,
  type BeliefParameters,
  codesRow,
  contextOf,
  laterCodes,
  startBelief,
} from '../../../../src/policy/learned/belief/belief-parameters.ts';
import { fitBelief } from '../../../../src/policy/learned/belief/fit-belief.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import type { RetryFacts, TrainingRow } from '../../../../src/policy/learned/retry-facts.ts';
import { plainFacts } from '../plain-facts.ts';

const failedAtMs = Date.UTC(2026, 0, 5, 12);
const noFunds: Decline = { category: 'later', code: '51' };
const start = startBelief();
/** The start as it is where nothing was logged: each list sums to 1. */
const untaught = fitBelief({
  rows: [],
  calendar: weekendCalendar,
  start,
  strength: 10,
  rounds: 1,
});

function rowOf(
  tries: readonly Decline[],
  change: Partial<RetryFacts> = {},
  succeeded = false,
): TrainingRow {
  const facts = plainFacts(failedAtMs, {
    firstDecline: noFunds,
    tries: tries.map((decline, index) => ({ atMs: failedAtMs + (index + 1) * dayMs, decline })),
    ...change,
  });
  const atMs = failedAtMs + (tries.length + 1) * dayMs + hourMs;
  return { facts, atMs, succeeded, propensity: 1 };
}

const fitted = (
  row: TrainingRow,
  more: { readonly rounds?: number; readonly strength?: number } = {},
) =>
  fitBelief({
    rows: Array.from({ length: 40 }, () => row),
    calendar: weekendCalendar,
    start,
    strength: 10,
    rounds: 1,
    ...more,
  });

/** How far the chances of a code in one row are above those untaught. */
const gained = (belief: BeliefParameters, row: number, code: (typeof laterCodes)[number]) =>
  (belief.codes[row]?.[laterCodes.indexOf(code)] ?? 0) -
  (untaught.codes[row]?.[laterCodes.indexOf(code)] ?? 0);

describe('what logged tries teach of codes', () => {
  const context = contextOf(rowOf([]).facts);
  const dry = codesRow(context, 0, false);
  const paid = codesRow(context, 0, true);

  it('is nothing where no later try was declined with one', () => {
    for (const tries of [[], [{ category: 'technical', code: '91' } as const]]) {
      expect(fitted(rowOf(tries)).codes).toEqual(
        untaught.codes.map((list) => list.map((value) => expect.closeTo(value, 5))),
      );
    }
  });

  it.each([
    [{ category: 'later', code: '05' } as const, 'generic'],
    [noFunds, 'funds'],
    [{ category: 'later', code: '61' } as const, 'other'],
  ] as const)('is that %j follows', (decline, code) => {
    const belief = fitted(rowOf([decline, decline]));
    for (const row of [dry, paid, codesRow(context, 1, false), codesRow(context, 2, false)]) {
      expect(gained(belief, row, code)).toBeGreaterThan(0.001);
    }
    for (const [row, list] of belief.codes.entries()) {
      expect(list.reduce((sum, value) => sum + value, 0)).toBeCloseTo(1, 3);
      // Of other first declines nothing was seen.
      if (row < codesRow(context, 0, false) || row > codesRow(context, 2, true)) {
        expect(list).toEqual(untaught.codes[row]?.map((value) => expect.closeTo(value, 5)));
      }
    }
  });

  it('of an account that cannot pay any more is of that state alone', () => {
    const belief = fitted(rowOf([noFunds, noFunds]));
    // The hypothesis that it stays cannot pay at any hour.
    expect(gained(belief, codesRow(context, 2, false), 'funds')).toBeGreaterThan(0.01);
    expect(gained(belief, codesRow(context, 2, true), 'funds')).toBeCloseTo(0, 5);
  });

  it('raises how often an account that could pay is declined all the same', () => {
    const generic: Decline = { category: 'later', code: '05' };
    expect(fitted(rowOf([generic, generic])).falseDecline).toBeGreaterThan(untaught.falseDecline);
    expect(fitted(rowOf([]), {}).falseDecline).toBeCloseTo(untaught.falseDecline, 5);
  });

  it('weighs against how much the start is worth', () => {
    const row = rowOf([{ category: 'later', code: '05' }]);
    const [light, heavy] = [1, 1_000].map((strength) =>
      gained(fitted(row, { strength }), dry, 'generic'),
    );
    expect(light).toBeGreaterThan((heavy ?? 0) * 10);
    expect(fitted(row, { rounds: 0 })).toEqual(start);
  });
});

describe('what logged tries teach beside codes', () => {
  const advised = (adviceCode: string): Decline => ({ ...noFunds, adviceCode });
  const sumOf = (belief: BeliefParameters, code: (typeof adviceCodes)[number]) =>
    belief.advice.reduce((sum, list) => sum + (list[adviceCodes.indexOf(code)] ?? 0), 0);

  it('is which advice goes with which time to funds, of the first decline and of later ones', () => {
    const plain = sumOf(untaught, '27');
    const byFirst = sumOf(fitted(rowOf([], { firstDecline: advised('27') })), '27');
    const byLater = sumOf(fitted(rowOf([advised('27')])), '27');
    const byBoth = sumOf(fitted(rowOf([advised('27')], { firstDecline: advised('27') })), '27');
    expect(byFirst).toBeGreaterThan(plain + 0.1);
    expect(byLater).toBeGreaterThan(plain + 0.1);
    expect(byBoth).toBeGreaterThan(Math.max(byFirst, byLater));
    expect(sumOf(fitted(rowOf([advised('01')])), '27')).toBeCloseTo(plain, 5);
  });

  it('is that a failure stays where nothing passes, and does not where one did', () => {
    const stays = (belief: BeliefParameters, context: number) => belief.kinds[context]?.at(-1) ?? 0;
    const context = contextOf(rowOf([]).facts);
    const failed = fitted(rowOf([noFunds, noFunds, noFunds]));
    const passed = fitted(rowOf([noFunds], {}, true));
    expect(stays(failed, context)).toBeGreaterThan(stays(untaught, context));
    expect(stays(passed, context)).toBeLessThan(stays(untaught, context));
    expect(passed.falseDecline).toBeLessThan(untaught.falseDecline);
  });

  it('is learned of all cards alike where the funding of one is not known', () => {
    const known = contextOf(rowOf([]).facts);
    const unknown = contextOf(rowOf([], { funding: undefined } as never).facts);
    const belief = fitted(rowOf([noFunds]));
    expect(belief.kinds[known]).not.toEqual(untaught.kinds[known]);
    expect(belief.kinds[unknown]).toEqual(belief.kinds[known]);
    const { funding: _, ...facts } = rowOf([noFunds]).facts;
    const blind = fitted({ ...rowOf([noFunds]), facts });
    expect(blind.kinds[unknown]).not.toEqual(untaught.kinds[unknown]);
    // Counted once, where known and unknown are the same.
    expect(blind.kinds[unknown]).toEqual(belief.kinds[unknown]);
  });

  it('is how often money is missing where a rhythm should have it', () => {
    const passed = fitted(rowOf([], {}, true));
    expect(passed.missed.every((share, at) => share <= (untaught.missed[at] ?? 0))).toBe(true);
    // Each payer passed weekly before and is declined just after the payday of that rhythm.
    const past = [3, 10, 17, 24].map((days) => ({
      atMs: failedAtMs - days * dayMs,
      succeeded: true,
      amountMinor: 1_000,
    }));
    const missed = fitted(rowOf([noFunds, noFunds, noFunds, noFunds, noFunds], { past }));
    expect(Math.max(...missed.missed)).toBeGreaterThan(Math.max(...untaught.missed) * 1.1);
  });
});
