import { askedAt, isAskedAgain } from '../../domain/disputes/asked-again.ts';
import { invariant } from '../../domain/errors.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import { type ResolveAcceptanceDeps, resolveAcceptance } from '../acceptance/resolve-acceptance.ts';
import type { DisputeDetail, DisputeStore } from '../dispute-ports.ts';
import type { Packet } from '../evidence/packet.ts';
import { type PacketDeps, showPacket } from '../evidence/show-packet.ts';
import type { AnswerDeps } from './answer-deps.ts';
import type { EvidenceGateway, EvidenceRequest } from './evidence-gateway.ts';
import { findObstacle, type Obstacle, obstacleInAcceptance } from './find-obstacle.ts';
import { type AnswerTo, giveAnswer } from './give-answer.ts';
import { resolveSubmission } from './resolve-submission.ts';
import type { Acceptance, Submission } from './submission-ports.ts';

export interface SubmitDeps extends PacketDeps, ResolveAcceptanceDeps {
  readonly clock: AnswerDeps['clock'];
  readonly disputes: Pick<DisputeStore, 'show'>;
  /** Undefined where the merchant has no connection to the PSP. */
  findEvidenceGateway(account: {
    readonly merchantId: string;
    readonly psp: Psp;
  }): Promise<EvidenceGateway | undefined>;
  renderPdf(packet: Packet): Promise<Uint8Array>;
  /** The files that persons added to a dispute's evidence. */
  filesOf(key: {
    readonly merchantId: string;
    readonly disputeId: string;
  }): Promise<Pick<EvidenceRequest, 'files' | 'removedFiles'>>;
}

export interface SubmitInput {
  readonly merchantId: string;
  readonly disputeId: string;
  /** Lays it at the PSP, and sends nothing on. */
  readonly stageOnly: boolean;
  /** Who asks, for the audit log. */
  readonly actor: string;
}

export type SubmitOutcome =
  | { readonly kind: 'done'; readonly submission: Submission }
  /** A call is on its way, or its answer was lost: it is not made again blindly. */
  | { readonly kind: 'pending'; readonly submission: Submission }
  /** The PSP did not take it; it may be tried again. */
  | { readonly kind: 'failed'; readonly submission: Submission }
  /** The PSP asks for files that are not there, or has no place for one that is: nothing was sent. */
  | { readonly kind: 'incomplete'; readonly submission: Submission }
  | { readonly kind: 'refused'; readonly obstacle: Obstacle }
  | { readonly kind: 'not_found' };

/**
 * Answers a dispute at its PSP: the packet is staged, then sent on, once for each stage of the
 * dispute, and once more where the PSP asks again. One that was sent is given again as it is. What was
 * lost is resolved by the PSP's record first.
 */
export async function submitEvidence(deps: SubmitDeps, input: SubmitInput): Promise<SubmitOutcome> {
  const dispute = await deps.disputes.show(input);
  if (dispute === undefined) return { kind: 'not_found' };
  const { state, merchantId, disputeId, psp } = dispute;
  if (state.kind === 'fraud_warning') return refused({ kind: 'no_dispute' });
  const key = { merchantId, disputeId, psp, stage: state.stage };
  const found = await deps.submissions.find(key);
  if (found?.state === 'submitted' && !(await isAskedAnew(deps, dispute, found))) {
    return { kind: 'done', submission: found };
  }
  if (found?.kind === 'acceptance') {
    const obstacle = await obstacleInAccepted(deps, { found, dispute, actor: input.actor });
    if (obstacle !== undefined) return refused(obstacle);
  }
  const gateway = await deps.findEvidenceGateway({ merchantId, psp });
  const api = gateway?.kind === 'api' ? gateway : undefined;
  if (found?.kind === 'evidence') {
    const resolved = await resolveSubmission(deps, { found, api, dispute, input });
    if (resolved !== undefined) return resolved;
  }
  const obstacle = findObstacle(dispute, gateway, deps.clock.now());
  if (obstacle !== undefined) return refused(obstacle);
  invariant(api !== undefined, 'without an API there is an obstacle');
  return answerNow(deps, input, {
    ...{ key, api, dispute, found },
    isAnother: found?.state === 'submitted',
    ...present({ askedAt: askedAt(dispute) }),
  });
}

/** Both have to say so: what it told of, and its record, which knows whether it was answered by other means since. */
async function isAskedAnew(
  deps: Pick<SubmitDeps, 'findEvidenceGateway'>,
  dispute: DisputeDetail,
  { submittedAt }: Submission,
): Promise<boolean> {
  if (!isAskedAgain(dispute, submittedAt)) return false;
  const gateway = await deps.findEvidenceGateway(dispute);
  if (gateway?.kind !== 'api' || gateway.awaitsAnother === undefined) return false;
  return gateway.awaitsAnother(dispute.pspDisputeId);
}

/** Nothing is submitted beside an acceptance; undefined where it failed. */
async function obstacleInAccepted(
  deps: SubmitDeps,
  about: {
    readonly found: Acceptance;
    readonly dispute: DisputeDetail;
    readonly actor: string;
  },
): Promise<Obstacle | undefined> {
  const gateway = await deps.findAcceptanceGateway(about.dispute);
  const api = gateway?.kind === 'api' ? gateway : undefined;
  const resolved = await resolveAcceptance(deps, { ...about, api });
  return obstacleInAcceptance(resolved?.acceptance);
}

async function answerNow(
  deps: SubmitDeps,
  input: SubmitInput,
  to: Omit<AnswerTo, 'packet'> & { readonly dispute: DisputeDetail },
): Promise<SubmitOutcome> {
  const { merchantId, disputeId } = input;
  const reader = { actor: input.actor, reason: `submission of ${disputeId}` };
  const shown = await showPacket(deps, { merchantId, disputeId, reader });
  switch (shown.kind) {
    case 'not_found':
      return shown;
    case 'no_amount':
      return refused({ kind: 'no_amount' });
    case 'packet':
      return giveAnswer(deps, input, { ...to, packet: shown.packet });
  }
}

function refused(obstacle: Obstacle): SubmitOutcome {
  return { kind: 'refused', obstacle };
}
