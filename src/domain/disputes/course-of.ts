import { supersedes } from './merge-report.ts';
import type { DisputeState } from './normalise/dispute-state.ts';

interface Change {
  readonly state: DisputeState;
  readonly occurredAt: Date;
}

/**
 * The changes of a dispute in their order, each once, of all states that were told of it: of two of one instant the one
 * that is further on is the later.
 */
export function courseOf(told: readonly Change[]): readonly Change[] {
  const sorted = told.toSorted((a, b) => {
    if (supersedes(said(b), said(a))) return supersedes(said(a), said(b)) ? 0 : -1;
    return 1;
  });
  return sorted.filter(({ state }, index) => nameOf(state) !== nameOf(sorted[index - 1]?.state));
}

function said({ state, occurredAt: at }: Change) {
  return { state, at };
}

function nameOf(state: DisputeState | undefined): string {
  if (state === undefined) return '';
  return state.kind === 'dispute' ? `${state.stage} ${state.status}` : state.kind;
}
