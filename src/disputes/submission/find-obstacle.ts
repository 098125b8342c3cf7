import type { DisputeStatus } from '../../domain/disputes/normalise/dispute-state.ts';
import { pspName } from '../../domain/psps/psp-name.ts';
import type { Psp } from '../../domain/psps.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { StageAnswer } from './submission-ports.ts';

/** Why a dispute cannot be answered through its PSP now, whatever the answer is. */
export type AnyObstacle =
  | { readonly kind: 'no_dispute' }
  | { readonly kind: 'not_open'; readonly status: DisputeStatus }
  | { readonly kind: 'past_deadline'; readonly at: Date }
  | { readonly kind: 'not_connected'; readonly psp: Psp }
  | { readonly kind: 'by_hand'; readonly reason: string };

/** Why evidence cannot be sent through the PSP now. */
export type Obstacle =
  | AnyObstacle
  | { readonly kind: 'no_amount' }
  | { readonly kind: 'no_staging'; readonly reason: string }
  /** Its stage was accepted, or that is on its way. */
  | { readonly kind: 'accepted' | 'accepting' };

export const obstacleKinds = [
  'no_dispute',
  'no_amount',
  'not_open',
  'past_deadline',
  'not_connected',
  'by_hand',
  'no_staging',
  'accepted',
  'accepting',
] as const satisfies readonly Obstacle['kind'][];

/** A deadline that was reckoned stops nobody: the PSP's own may be later. */
export function findObstacle(
  { state, respondBy, psp }: DisputeDetail,
  gateway:
    | { readonly kind: 'api' }
    | { readonly kind: 'by_hand'; readonly reason: string }
    | undefined,
  now: Date,
): AnyObstacle | undefined {
  if (state.kind === 'fraud_warning') return { kind: 'no_dispute' };
  if (state.status !== 'needs_response') return { kind: 'not_open', status: state.status };
  if (respondBy?.isPspsOwn === true && respondBy.at <= now) {
    return { kind: 'past_deadline', at: respondBy.at };
  }
  if (gateway === undefined) return { kind: 'not_connected', psp };
  return gateway.kind === 'by_hand' ? { kind: 'by_hand', reason: gateway.reason } : undefined;
}

/** What the acceptance of the same stage says against it. */
export function obstacleInAcceptance(answer: StageAnswer | undefined): Obstacle | undefined {
  if (answer?.kind !== 'acceptance' || answer.state === 'failed') return undefined;
  return { kind: answer.state === 'accepted' ? 'accepted' : 'accepting' };
}

/** In a sentence, with what to do. */
export function obstacleMessage(obstacle: Obstacle): string {
  const byHand = "Give it the evidence's PDF by hand.";
  switch (obstacle.kind) {
    case 'no_dispute':
      return 'A fraud warning cannot be answered; if it becomes a dispute, that can be.';
    case 'no_amount':
      return 'The amount in dispute is not known. Report it with POST /v1/disputes.';
    case 'not_open':
      return `The dispute awaits no answer: it is ${obstacle.status.replaceAll('_', ' ')}.`;
    case 'past_deadline':
      return `The PSP accepted answers until ${obstacle.at.toISOString()}.`;
    case 'not_connected':
      return `There is no connection to ${pspName(obstacle.psp)}. Connect it, or: ${byHand}`;
    case 'by_hand':
      return `${obstacle.reason} ${byHand}`;
    case 'no_staging':
      return `${obstacle.reason} Review the evidence here, then submit it.`;
    case 'accepted':
      return 'The dispute was accepted, so this stage already has its answer.';
    case 'accepting':
      return "The dispute is being accepted, or the PSP's answer to that was lost. Nothing can be submitted until that is settled.";
  }
}
