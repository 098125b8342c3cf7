import { addMs, dayMs } from '../domain/clock.ts';
import type { PlanInput, TryFacts } from '../policy/plan.ts';
import type { Episode } from './episodes.ts';
import type { History } from './history.ts';

/** How long a recovery lasts and how many tries it has, in a back-test. */
export interface Terms {
  readonly windowDays: number;
  readonly maxAttempts: number;
}

/** A moment of a logged recovery at which the next try had to be chosen. */
export interface Decision {
  readonly episode: Episode;
  /** Tries before it. */
  readonly number: number;
  /** The decline that made it necessary: a place in the history. */
  readonly lastRow: number;
  /** The try that was logged next, inside the window; absent where there is none. */
  readonly nextRow?: number;
}

/**
 * The decisions of a recovery: after the failure and after each declined try, while tries and time
 * are left. A next try with another card is none that a time was chosen for: it ends the list.
 */
export function decisionsOf(history: History, episode: Episode, terms: Terms): readonly Decision[] {
  const { rows } = episode;
  const endMs = (history.atMs[rows[0] ?? 0] ?? 0) + terms.windowDays * dayMs;
  const decisions: Decision[] = [];
  for (const [number, lastRow] of rows.entries()) {
    const lastMs = history.atMs[lastRow] ?? 0;
    const isOver =
      history.outcomes[lastRow] === 1 || number >= terms.maxAttempts || lastMs >= endMs;
    if (isOver) break;
    const next = rows[number + 1];
    const isInside = next !== undefined && (history.atMs[next] ?? 0) <= endMs;
    if (!isInside) {
      decisions.push({ episode, number, lastRow });
      break;
    }
    if (isOtherCard(history, lastRow, next)) break;
    decisions.push({ episode, number, lastRow, nextRow: next });
  }
  return decisions;
}

/** Whether both attempts name a card, and not the same. */
function isOtherCard({ cards }: History, one: number, other: number): boolean {
  const [a = -1, b = -1] = [cards[one], cards[other]];
  return a >= 0 && b >= 0 && a !== b;
}

/** The name of the one method in plans of back-tests. */
export const methodId = 'card';

/** What a policy could know at a decision. The schedule's own settings are the policy's to fill in. */
export function planInputOf(
  history: History,
  { episode, number, lastRow }: Decision,
  terms: Terms,
): Omit<PlanInput, 'settings'> {
  const { rows } = episode;
  const first = rows[0] ?? 0;
  const failedAt = new Date(history.atMs[first] ?? 0);
  const tries: TryFacts[] = [];
  for (let at = 1; at <= number; at += 1) {
    const row = rows[at] ?? 0;
    const startedAt = new Date(history.atMs[row] ?? 0);
    const declines = [{ paymentMethodId: methodId, decline: declineAt(history, row) }];
    tries.push({ startedAt, endedAt: startedAt, declines });
  }
  return {
    now: new Date(history.atMs[lastRow] ?? 0),
    failedAt,
    windowEndsAt: addMs(failedAt, terms.windowDays * dayMs),
    firstDecline: declineAt(history, first),
    tries,
    methods: [{ paymentMethodId: methodId, failedFirst: true }],
  };
}

/** What the issuer said at a declined attempt. */
export function declineAt(history: History, row: number): PlanInput['firstDecline'] {
  return history.declines[history.declineOf[row] ?? -1] ?? { category: 'later', code: 'unknown' };
}
