import { type Psp, pspFacts } from '../psps.ts';
import type { DisputeState } from './normalise/dispute-state.ts';

/** A dispute with its history, the first change first. */
export interface DisputeCourse {
  readonly psp: Psp;
  readonly state: DisputeState;
  readonly changes: readonly { readonly state: DisputeState; readonly occurredAt: Date }[];
}

/** Since when the PSP awaits the answer to the present stage, by its own time; undefined where it awaits none. */
export function askedAt({ state, changes }: Omit<DisputeCourse, 'psp'>): Date | undefined {
  if (!awaitsAnswer(state)) return undefined;
  const asked = changes.findLast(
    (one) => awaitsAnswer(one.state) && one.state.stage === state.stage,
  );
  return asked?.occurredAt;
}

/**
 * Whether the PSP asks for another answer to a stage that was answered. What it tells of a state that has not changed is
 * no change: an ask after the answer followed on something else, such as its review.
 */
export function isAskedAgain(dispute: DisputeCourse, answeredAt: Date | undefined): boolean {
  const asked = askedAt(dispute);
  if (!pspFacts[dispute.psp].asksAgain || asked === undefined || answeredAt === undefined) {
    return false;
  }
  return asked > answeredAt;
}

function awaitsAnswer(
  state: DisputeState,
): state is Extract<DisputeState, { readonly kind: 'dispute' }> {
  return state.kind === 'dispute' && state.status === 'needs_response';
}
