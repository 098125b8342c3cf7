import { dayMs } from '../../../domain/clock.ts';
import type { RetryFacts } from '../retry-facts.ts';

/** The paydays of all payers moved at one time: what they paid before it tells of days so much later. */
export interface PaydayMove {
  readonly sinceMs: number;
  /** Below 0: earlier. */
  readonly days: number;
}

/** How a model takes payers' past. */
export interface PastUse {
  /** The belief was made without payers' past, which predicted better: it is not asked for it. */
  readonly ignoresPast?: true;
  /** Found in its tries (`findPaydayMove`). */
  readonly paydayMove?: PaydayMove;
}

/** Facts with the payer's past as a model takes it; those of decisions before a move stay as they are. */
export function withKnownPast(facts: RetryFacts, { ignoresPast, paydayMove }: PastUse): RetryFacts {
  if (facts.past.length === 0) return facts;
  if (ignoresPast === true) return { ...facts, past: [] };
  if (paydayMove === undefined || facts.nowMs < paydayMove.sinceMs) return facts;
  const { sinceMs, days } = paydayMove;
  const past = facts.past.map((charge) =>
    charge.atMs < sinceMs ? { ...charge, atMs: charge.atMs + days * dayMs } : charge,
  );
  return { ...facts, past };
}
