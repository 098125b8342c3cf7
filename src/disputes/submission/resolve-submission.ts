import { addMs } from '../../domain/clock.ts';
import { askedAt } from '../../domain/disputes/asked-again.ts';
import { present } from '../../domain/present.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { AnswerDeps } from './answer-deps.ts';
import type { EvidenceApi } from './evidence-gateway.ts';
import type {
  AcceptanceState,
  Submission,
  SubmissionState,
  SubmissionStep,
} from './submission-ports.ts';
import type { SubmitInput, SubmitOutcome } from './submit-evidence.ts';

/**
 * What became of a submission that was begun before. Undefined where it may be begun again: it
 * failed, it was only staged, the PSP asks for another one, or its record says that nothing was sent on.
 */
export async function resolveSubmission(
  deps: AnswerDeps,
  about: {
    readonly found: Submission;
    readonly dispute: DisputeDetail;
    readonly api: EvidenceApi | undefined;
    readonly input: Pick<SubmitInput, 'actor'>;
  },
): Promise<SubmitOutcome | undefined> {
  const { found, dispute, api, input } = about;
  const { state } = found;
  const isInFlight = deps.clock.now() < addMs(found.updatedAt, deps.inFlightMs);
  if (state === 'staged' || state === 'failed' || state === 'submitted') return undefined;
  // Staging may be repeated, once nobody else does it.
  if (state === 'staging') return isInFlight ? { kind: 'pending', submission: found } : undefined;
  const end = (step: Pick<SubmissionStep, 'state' | 'reason'>) =>
    recordStep(deps, { before: found, step, actor: input.actor });
  if (isAnswered(dispute)) return { kind: 'done', submission: await end({ state: 'submitted' }) };
  if (api === undefined || (isInFlight && state === 'submitting')) {
    return { kind: 'pending', submission: found };
  }
  const record = await api.readSubmitted(dispute.pspDisputeId, askedAt(dispute));
  switch (record.kind) {
    case 'submitted':
      return { kind: 'done', submission: await end({ state: 'submitted' }) };
    case 'not_submitted':
      // What was sent a moment ago may still arrive.
      return isInFlight ? { kind: 'pending', submission: found } : undefined;
    case 'unreadable': {
      if (state === 'unknown') return { kind: 'pending', submission: found };
      const { reason } = record;
      return { kind: 'pending', submission: await end({ state: 'unknown', reason }) };
    }
  }
}

/** The PSP tells of the dispute's state itself: none is looked at that was not answered. */
function isAnswered({ state }: DisputeDetail): boolean {
  return state.kind === 'dispute' && (state.status === 'under_review' || state.status === 'won');
}

/**
 * What was sent on may have arrived: its record is asked once no call can be on its way any more.
 */
export function lookUpAtOf(
  { inFlightMs }: Pick<AnswerDeps, 'inFlightMs'>,
  state: SubmissionState | AcceptanceState,
  at: Date,
): Date | undefined {
  const mayHaveArrived = state === 'submitting' || state === 'accepting' || state === 'unknown';
  return mayHaveArrived ? addMs(at, inFlightMs) : undefined;
}

/** A step after `before`; where somebody else took one meanwhile, what they made of it. */
export async function recordStep(
  deps: AnswerDeps,
  input: {
    readonly before: Submission;
    readonly step: Pick<SubmissionStep, 'state' | 'reason'>;
    readonly actor: string;
  },
): Promise<Submission> {
  const { before, step, actor } = input;
  const { contentHash, reference, fence } = before;
  const at = deps.clock.now();
  const written = await deps.submissions.step(before, fence, {
    ...step,
    contentHash,
    actor,
    at,
    ...present({ reference, lookUpAt: lookUpAtOf(deps, step.state, at) }),
  });
  if (written !== undefined) return written;
  const other = await deps.submissions.find(before);
  return other?.kind === 'evidence' ? other : before;
}
