import { addMs } from '../clock.ts';
import type { CardAttempt } from './card-attempt.ts';
import type { NetworkFee } from './network-fee.ts';
import type { RuleId } from './rules.ts';

/** What one rule has against a charge: until when, or for good, and what the charge would cost. */
export interface Block {
  readonly rule: RuleId;
  /** When this rule would allow it; undefined: never, for this card. */
  readonly until?: Date;
  readonly fees?: readonly NetworkFee[];
}

/**
 * Those that were made within `windowMs` before `at`, the oldest first. One that is dated after `at`
 * counts as well: a clock that was set back must not forget what was charged.
 */
export function within(
  attempts: readonly CardAttempt[],
  at: Date,
  windowMs: number,
): readonly CardAttempt[] {
  const since = at.getTime() - windowMs;
  return attempts.filter((attempt) => attempt.at.getTime() > since).toSorted(byTime);
}

/**
 * When one more is allowed where `counted`, the oldest first, may be fewer than `most` in a rolling
 * window; undefined where that is so already.
 */
export function freeAt(
  counted: readonly CardAttempt[],
  max: number,
  windowMs: number,
): Date | undefined {
  if (counted.length < max) return undefined;
  const last = counted[counted.length - max];
  return last === undefined ? undefined : addMs(last.at, windowMs);
}

/** Whether it was refused, or may have been. */
export function failed(attempt: CardAttempt): boolean {
  return attempt.outcome !== 'approved';
}

/** By time, and as they came where two are of one moment. */
export function byTime(a: CardAttempt, b: CardAttempt): number {
  return a.at.getTime() - b.at.getTime();
}

/**
 * The declines that still speak of the card: none that it was replaced after, and none that an
 * approval came after, which shows that its issuer takes it again.
 */
export function standingDeclines(
  attempts: readonly CardAttempt[],
  renewedAt: Date | undefined,
): readonly CardAttempt[] {
  const approvedAtMs = Math.max(
    ...attempts.map((item) => (item.outcome === 'approved' ? item.at.getTime() : -Infinity)),
  );
  return attempts.filter(
    (attempt) =>
      attempt.outcome === 'declined' &&
      attempt.at.getTime() >= approvedAtMs &&
      (renewedAt === undefined || attempt.at.getTime() >= renewedAt.getTime()),
  );
}
