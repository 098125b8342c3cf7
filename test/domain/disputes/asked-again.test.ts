import { expect, it } from 'vitest';
import {
  askedAt,
  type DisputeCourse,
  isAskedAgain,
} from '../../../src/domain/disputes/asked-again.ts';
import type {
  DisputeStage,
  DisputeStatus,
} from '../../../src/domain/disputes/normalise/dispute-state.ts';

const day = (of: number) => new Date(Date.UTC(2026, 5, of));

function course(
  ...changes: readonly (readonly [of: number, status: DisputeStatus, stage?: DisputeStage])[]
): DisputeCourse {
  const all = changes.map(([of, status, stage = 'chargeback']) => ({
    state: { kind: 'dispute', stage, status } as const,
    occurredAt: day(of),
  }));
  const last = all.at(-1);
  if (last === undefined) throw new Error('a dispute has a state');
  return { psp: 'paypal', state: last.state, changes: all };
}

const asked = course([1, 'needs_response'], [3, 'under_review'], [5, 'needs_response']);

it('a dispute is asked of since it awaits the answer to its present stage', () => {
  expect(askedAt(asked)).toEqual(day(5));
  expect(askedAt(course([1, 'needs_response'], [3, 'under_review']))).toBeUndefined();
  expect(askedAt(course([1, 'needs_response', 'inquiry'], [2, 'needs_response']))).toEqual(day(2));
});

it.each<[string, DisputeCourse, Date | undefined, boolean]>([
  ['asked for again after the answer', asked, day(2), true],
  ['answered since', asked, day(6), false],
  ['never answered', asked, undefined, false],
  ['asked for once', course([1, 'needs_response']), day(2), false],
  ['looked at', course([1, 'needs_response'], [3, 'under_review']), day(2), false],
  ['at a PSP that asks once', { ...asked, psp: 'stripe' }, day(2), false],
  ['a fraud warning', { ...asked, state: { kind: 'fraud_warning' } }, day(2), false],
])('%s', (_what, dispute, answeredAt, isAsked) => {
  expect(isAskedAgain(dispute, answeredAt)).toBe(isAsked);
});
