import { type Decision, declineAt } from './decisions.ts';
import type { History } from './history.ts';
import { numberedFromZero } from './sequences.ts';

/** Fewer decisions than these are no kind of their own. */
const minDecisions = 100;
const allOthers = -1;

/**
 * The kind of each decision, numbered from 0 without gaps: by tries so far, and by whether the issuer advised a
 * wait. A log tries less of some than of others, and what comes of them differs.
 */
export function kindsOf(history: History, decisions: readonly Decision[]): Int32Array {
  const kinds = decisions.map((decision) => {
    const isAdvised = (declineAt(history, decision.lastRow).waitMs ?? 0) > 0;
    return 2 * decision.number + (isAdvised ? 1 : 0);
  });
  const counts = new Map<number, number>();
  for (const kind of kinds) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  return numberedFromZero(
    kinds.map((kind) => ((counts.get(kind) ?? 0) < minDecisions ? allOthers : kind)),
  );
}
