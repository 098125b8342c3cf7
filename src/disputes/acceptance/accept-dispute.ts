import { isAskedAgain } from '../../domain/disputes/asked-again.ts';
import { invariant } from '../../domain/errors.ts';
import type { DisputeDetail, DisputeStore } from '../dispute-ports.ts';
import { lookUpAtOf, resolveSubmission } from '../submission/resolve-submission.ts';
import type { Acceptance, StageAnswer, SubmissionKey } from '../submission/submission-ports.ts';
import type { SubmitDeps } from '../submission/submit-evidence.ts';
import type { AcceptanceApi, AcceptanceGateway } from './acceptance-gateway.ts';
import {
  type AcceptObstacle,
  findAcceptObstacle,
  obstacleInAnswer,
} from './find-accept-obstacle.ts';
import {
  endAccepted,
  type ResolveAcceptanceDeps,
  recordAcceptance,
  resolveAcceptance,
} from './resolve-acceptance.ts';

export interface AcceptDeps extends ResolveAcceptanceDeps, Pick<SubmitDeps, 'findEvidenceGateway'> {
  readonly disputes: Pick<DisputeStore, 'show'>;
}

export interface AcceptInput {
  readonly merchantId: string;
  readonly disputeId: string;
  /** Who asks, for the audit log. */
  readonly actor: string;
}

export type AcceptOutcome =
  | { readonly kind: 'done'; readonly acceptance: Acceptance }
  /** The call is on its way, or its answer was lost: it is not made again blindly. */
  | { readonly kind: 'pending'; readonly acceptance: Acceptance }
  /** The PSP did not take it; it may be tried again. */
  | { readonly kind: 'failed'; readonly acceptance: Acceptance }
  | { readonly kind: 'refused'; readonly obstacle: AcceptObstacle }
  | { readonly kind: 'not_found' };

interface Asked {
  readonly key: SubmissionKey & Pick<DisputeDetail, 'psp'>;
  readonly dispute: DisputeDetail;
  readonly found: StageAnswer | undefined;
  readonly gateway: AcceptanceGateway | undefined;
  readonly actor: string;
}

/**
 * Accepts a dispute at its PSP: what is disputed is given away, for good, and once for each stage of
 * the dispute. One that was accepted is given again as it is. What was lost is resolved by the PSP's
 * record first, and evidence that was submitted or is on its way stands in its place.
 */
export async function acceptDispute(deps: AcceptDeps, input: AcceptInput): Promise<AcceptOutcome> {
  const dispute = await deps.disputes.show(input);
  if (dispute === undefined) return { kind: 'not_found' };
  const { state, merchantId, disputeId, psp } = dispute;
  if (state.kind === 'fraud_warning') return refused({ kind: 'no_dispute' });
  const key = { merchantId, disputeId, psp, stage: state.stage };
  const found = await deps.submissions.find(key);
  const gateway = await deps.findAcceptanceGateway({ merchantId, psp });
  const asked = { key, dispute, found, gateway, actor: input.actor };
  const before = await settleBefore(deps, asked);
  if (before !== undefined) return before;
  const obstacle = findAcceptObstacle(dispute, gateway, deps.clock.now());
  if (obstacle !== undefined) return refused(obstacle);
  invariant(gateway?.kind === 'api', 'without an API there is an obstacle');
  return acceptNow(deps, { ...asked, api: gateway });
}

/** What the answer that was begun before came to; undefined where the stage may be accepted now. */
async function settleBefore(
  deps: AcceptDeps,
  { found, dispute, gateway, actor }: Asked,
): Promise<AcceptOutcome | undefined> {
  if (found === undefined) return undefined;
  if (found.kind === 'acceptance') {
    const api = gateway?.kind === 'api' ? gateway : undefined;
    return resolveAcceptance(deps, { found, dispute, api, actor });
  }
  if (found.state === 'submitted') {
    return isAskedAgain(dispute, found.submittedAt) ? undefined : refused({ kind: 'answered' });
  }
  const evidence = await deps.findEvidenceGateway(dispute);
  const api = evidence?.kind === 'api' ? evidence : undefined;
  const resolved = await resolveSubmission(deps, { found, dispute, api, input: { actor } });
  return resolved && refused({ kind: resolved.kind === 'done' ? 'answered' : 'answering' });
}

async function acceptNow(
  deps: AcceptDeps,
  { key, dispute, found, actor, api }: Asked & { readonly api: AcceptanceApi },
): Promise<AcceptOutcome> {
  const at = deps.clock.now();
  const isAnother = found?.state === 'submitted';
  const step = { state: 'accepting', actor, at, isAnother } as const;
  const lookUpAt = lookUpAtOf(deps, step.state, at);
  const begun = await deps.submissions.stepAcceptance(key, found?.fence ?? 0, {
    ...step,
    ...(lookUpAt && { lookUpAt }),
  });
  if (begun === undefined) return othersAnswer(await deps.submissions.find(key));
  const failed = async (reason: string): Promise<AcceptOutcome> => {
    const ended = { state: 'failed', reason } as const;
    return {
      kind: 'failed',
      acceptance: await recordAcceptance(deps, { before: begun, step: ended, actor }),
    };
  };
  // What the PSP tells since may be of another stage, which nobody has decided to give up.
  if (!isStill(await deps.disputes.show(key), begun)) return failed('the dispute has changed');
  const { pspDisputeId } = dispute;
  const sent = await api.accept({ pspDisputeId, attempt: `${begun.stage}-${begun.fence}` });
  if (sent.kind === 'failed') return failed(sent.reason);
  const isDone = sent.kind === 'done' || (await api.readAccepted(pspDisputeId)).kind === 'accepted';
  if (isDone) return endAccepted(deps, { before: begun, dispute, actor });
  const unknown = { state: 'unknown', reason: sent.reason } as const;
  return {
    kind: 'pending',
    acceptance: await recordAcceptance(deps, { before: begun, step: unknown, actor }),
  };
}

function isStill(dispute: DisputeDetail | undefined, { stage }: Acceptance): boolean {
  const state = dispute?.state;
  return state?.kind === 'dispute' && state.stage === stage && state.status === 'needs_response';
}

/** What somebody else made of the stage meanwhile. */
function othersAnswer(other: StageAnswer | undefined): AcceptOutcome {
  if (other === undefined) return { kind: 'not_found' };
  if (other.kind === 'evidence') return refused(obstacleInAnswer(other) ?? { kind: 'answering' });
  const kind = other.state === 'accepted' ? 'done' : 'pending';
  return { kind, acceptance: other };
}

function refused(obstacle: AcceptObstacle): AcceptOutcome {
  return { kind: 'refused', obstacle };
}
