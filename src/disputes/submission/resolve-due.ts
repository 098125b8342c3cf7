import { addMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { recordAcceptance, resolveAcceptance } from '../acceptance/resolve-acceptance.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import { recordStep, resolveSubmission } from './resolve-submission.ts';
import type { DueAnswer, StageAnswer } from './submission-ports.ts';
import type { SubmitDeps } from './submit-evidence.ts';

/**
 * After the first look-up that said nothing; each further one waits twice as long, up to the
 * longest.
 */
const firstWaitMs = minuteMs;
const longestWaitMs = 12 * hourMs;
/** About six days: PSPs tell of an answered dispute within them. Then a person has to look. */
const maxLookUps = 20;
/** Who resolves, for the audit log. */
const actor = 'settle-submissions';
const neverArrived = {
  evidence: "The PSP's record shows no answer. Submit it again.",
  acceptance: "The PSP's record shows that it was not accepted. Accept it again.",
} as const satisfies Readonly<Record<StageAnswer['kind'], string>>;

export type ResolveDueDeps = Pick<
  SubmitDeps,
  | 'clock'
  | 'submissions'
  | 'inFlightMs'
  | 'disputes'
  | 'findEvidenceGateway'
  | 'findAcceptanceGateway'
  | 'noteAccepted'
>;

/**
 * Resolves answers whose calls were lost by what the PSP's record or its webhooks say since. It sends
 * nothing: one that never arrived has failed, for whoever wants to try it again. How many were looked
 * at.
 */
export async function resolveDue(
  deps: ResolveDueDeps,
  input: { readonly at: Date; readonly limit: number },
): Promise<number> {
  const due = await deps.submissions.findLookUpsDue(input);
  for (const answer of due) await resolve(deps, answer);
  return due.length;
}

async function resolve(deps: ResolveDueDeps, found: DueAnswer): Promise<void> {
  const { stage, lookUps } = found;
  const dispute = await deps.disputes.show(found);
  // The record tells of the present stage alone: one that is over cannot be read any more.
  if (dispute?.state.kind !== 'dispute' || dispute.state.stage !== stage) {
    return deps.submissions.putOffLookUp(found, undefined);
  }
  const resolved = await resolveByKind(deps, found, dispute);
  if (resolved === 'never_arrived') return endFailed(deps, found);
  if (resolved.kind !== 'pending' || resolved.fence !== found.fence) return;
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** lookUps);
  const isLast = lookUps + 1 >= maxLookUps;
  const nextAt = isLast ? undefined : addMs(deps.clock.now(), waitMs);
  await deps.submissions.putOffLookUp(found, nextAt);
}

async function resolveByKind(
  deps: ResolveDueDeps,
  found: DueAnswer,
  dispute: DisputeDetail,
): Promise<'never_arrived' | { readonly kind: string; readonly fence?: number }> {
  const account = { merchantId: found.merchantId, psp: found.psp };
  if (found.kind === 'acceptance') {
    const gateway = await deps.findAcceptanceGateway(account);
    const api = gateway?.kind === 'api' ? gateway : undefined;
    const resolved = await resolveAcceptance(deps, { found, dispute, api, actor });
    return resolved ? { ...resolved, fence: resolved.acceptance.fence } : 'never_arrived';
  }
  const gateway = await deps.findEvidenceGateway(account);
  const api = gateway?.kind === 'api' ? gateway : undefined;
  const resolved = await resolveSubmission(deps, { found, dispute, api, input: { actor } });
  if (resolved === undefined) return 'never_arrived';
  return 'submission' in resolved ? { ...resolved, fence: resolved.submission.fence } : resolved;
}

async function endFailed(deps: ResolveDueDeps, found: DueAnswer): Promise<void> {
  const step = { state: 'failed', reason: neverArrived[found.kind] } as const;
  if (found.kind === 'evidence') await recordStep(deps, { before: found, step, actor });
  else await recordAcceptance(deps, { before: found, step, actor });
}
