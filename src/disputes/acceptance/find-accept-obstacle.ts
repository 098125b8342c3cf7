import { isAskedAgain } from '../../domain/disputes/asked-again.ts';
import { pspName } from '../../domain/psps/psp-name.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import { type AnyObstacle, findObstacle } from '../submission/find-obstacle.ts';
import type { StageAnswer } from '../submission/submission-ports.ts';
import type { AcceptanceGateway } from './acceptance-gateway.ts';

/** Why a dispute cannot be accepted through its PSP now. */
export type AcceptObstacle =
  | AnyObstacle
  | { readonly kind: 'not_in_this_stage'; readonly reason: string }
  /** Its stage has its answer, or that is on its way. */
  | { readonly kind: 'answered' | 'answering' };

export const acceptObstacleKinds = [
  'no_dispute',
  'not_open',
  'past_deadline',
  'not_connected',
  'by_hand',
  'not_in_this_stage',
  'answered',
  'answering',
] as const satisfies readonly AcceptObstacle['kind'][];

/** What the dispute and its PSP say against it. */
export function findAcceptObstacle(
  dispute: DisputeDetail,
  gateway: AcceptanceGateway | undefined,
  now: Date,
): AcceptObstacle | undefined {
  const obstacle = findObstacle(dispute, gateway, now);
  if (obstacle !== undefined || gateway?.kind !== 'api') return obstacle;
  const { state } = dispute;
  const reason = state.kind === 'dispute' ? gateway.refusedStages?.[state.stage] : undefined;
  return reason === undefined ? undefined : { kind: 'not_in_this_stage', reason };
}

/** What the evidence for the same stage says against it, unless the PSP asks for another answer. */
export function obstacleInAnswer(
  answer: StageAnswer | undefined,
  dispute?: DisputeDetail,
): AcceptObstacle | undefined {
  if (answer?.kind !== 'evidence') return undefined;
  if (dispute !== undefined && isAskedAgain(dispute, answer.submittedAt)) return undefined;
  switch (answer.state) {
    case 'submitted':
      return { kind: 'answered' };
    case 'staging':
    case 'submitting':
    case 'unknown':
      return { kind: 'answering' };
    case 'staged':
    case 'failed':
      return undefined;
  }
}

/** In a sentence, with what to do. */
export function acceptObstacleMessage(obstacle: AcceptObstacle): string {
  const byHand = "Accept it in the PSP's dashboard.";
  switch (obstacle.kind) {
    case 'no_dispute':
      return 'A fraud warning cannot be accepted; a refund may keep it from becoming a dispute.';
    case 'not_open':
      return `The dispute cannot be accepted any more: it is ${obstacle.status.replaceAll('_', ' ')}.`;
    case 'past_deadline':
      return `The PSP accepted answers until ${obstacle.at.toISOString()}.`;
    case 'not_connected':
      return `There is no connection to ${pspName(obstacle.psp)}. Connect it, or: ${byHand}`;
    case 'by_hand':
      return `${obstacle.reason} ${byHand}`;
    case 'not_in_this_stage':
      return obstacle.reason;
    case 'answered':
      return 'Evidence was submitted, so this stage of the dispute already has its answer.';
    case 'answering':
      return "Evidence is being submitted, or the PSP's answer to it was lost. Accept the dispute once that is settled.";
  }
}
