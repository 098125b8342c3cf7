import { addMs, hourMs, minuteMs } from '../../domain/clock.ts';
import { type ResolveDeps, recordStep, resolveSubmission } from './resolve-submission.ts';
import type { DueSubmission } from './submission-ports.ts';
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
const neverArrived = "The PSP's record says that no answer arrived. Submit it again.";

export type ResolveDueDeps = ResolveDeps & Pick<SubmitDeps, 'disputes' | 'findEvidenceGateway'>;

/**
 * Resolves submissions whose answers were lost by what the PSP's record or its webhooks say since.
 * It sends nothing: one that never arrived has failed, for whoever wants to try it again. How many
 * were looked at.
 */
export async function resolveDue(
  deps: ResolveDueDeps,
  input: { readonly at: Date; readonly limit: number },
): Promise<number> {
  const due = await deps.submissions.findLookUpsDue(input);
  for (const submission of due) await resolve(deps, submission);
  return due.length;
}

async function resolve(deps: ResolveDueDeps, found: DueSubmission): Promise<void> {
  const { merchantId, psp, stage, lookUps } = found;
  const dispute = await deps.disputes.show(found);
  // The record tells of the present stage alone: one that is over cannot be read any more.
  if (dispute?.state.kind !== 'dispute' || dispute.state.stage !== stage) {
    return deps.submissions.putOffLookUp(found, undefined);
  }
  const gateway = await deps.findEvidenceGateway({ merchantId, psp });
  const api = gateway?.kind === 'api' ? gateway : undefined;
  const resolved = await resolveSubmission(deps, { found, dispute, api, input: { actor } });
  if (resolved === undefined) {
    await recordStep(deps, {
      before: found,
      step: { state: 'failed', reason: neverArrived },
      actor,
    });
  } else if (resolved.kind === 'pending' && resolved.submission.fence === found.fence) {
    const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** lookUps);
    const isLast = lookUps + 1 >= maxLookUps;
    const nextAt = isLast ? undefined : addMs(deps.clock.now(), waitMs);
    await deps.submissions.putOffLookUp(found, nextAt);
  }
}
