import { isAskedAgain } from '../../domain/disputes/asked-again.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { SubmissionStore } from '../submission/submission-ports.ts';

/** Whether the answer to the dispute's present stage was sent on, or may have been, and no other one is asked for. */
export async function isSent(
  { submissions }: { readonly submissions: Pick<SubmissionStore, 'find'> },
  dispute: DisputeDetail,
): Promise<boolean> {
  const { merchantId, disputeId, state } = dispute;
  if (state.kind !== 'dispute') return false;
  const found = await submissions.find({ merchantId, disputeId, stage: state.stage });
  if (found?.kind !== 'evidence' || isAskedAgain(dispute, found.submittedAt)) return false;
  return ['submitting', 'submitted', 'unknown'].includes(found.state);
}

/** What all surfaces say where evidence is sent already. */
export const sentMessage =
  'The evidence was sent to the processor, or is being sent: its contents can no longer be changed.';
