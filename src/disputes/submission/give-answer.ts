import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Packet } from '../evidence/packet.ts';
import type { EvidenceApi, EvidenceRequest, StagingResult } from './evidence-gateway.ts';
import { obstacleInAcceptance } from './find-obstacle.ts';
import { lookUpAtOf, recordStep } from './resolve-submission.ts';
import type { StageAnswer, Submission, SubmissionKey } from './submission-ports.ts';
import type { SubmitDeps, SubmitInput, SubmitOutcome } from './submit-evidence.ts';

/** Which dispute is answered, where, and with what. */
export interface AnswerTo {
  readonly key: SubmissionKey & { readonly psp: Psp };
  readonly api: EvidenceApi;
  readonly dispute: { readonly pspDisputeId: string };
  /** Whether what was begun before was submitted, and the PSP asks for another answer. */
  readonly isAnother?: boolean;
  /** Since when the PSP awaits the answer, where that is known. */
  readonly askedAt?: Date;
  /** What was begun before; it may be begun again. */
  readonly found: StageAnswer | undefined;
  readonly packet: Packet;
}

/** Stages a packet, then sends it on. Each step is committed before its call. */
export async function giveAnswer(
  deps: SubmitDeps,
  input: SubmitInput,
  to: AnswerTo,
): Promise<SubmitOutcome> {
  const { api } = to;
  if (typeof api.stage !== 'function') {
    return input.stageOnly
      ? { kind: 'refused', obstacle: { kind: 'no_staging', reason: api.stage.reason } }
      : sendOn(deps, input, to);
  }
  const staged = await stage(deps, input, { ...to, stage: api.stage });
  if (staged.kind !== 'done' || input.stageOnly) return staged;
  // Somebody else staged it, and sent it on since.
  if (staged.submission.state === 'submitted') return staged;
  return sendOn(deps, input, { ...to, found: staged.submission });
}

async function sendOn(deps: SubmitDeps, input: SubmitInput, to: AnswerTo): Promise<SubmitOutcome> {
  const { api } = to;
  const begun = await begin(deps, input, to, 'submitting');
  if (begun.kind === 'other') return begun.outcome;
  const { reference } = begun.submission;
  const sent = await api.submit({
    ...(await requestOf(deps, to, begun.submission)),
    ...present({ reference }),
  });
  const end = endOf(deps, input, begun.submission);
  if (sent.kind === 'done') return { kind: 'done', submission: await end('submitted') };
  if (sent.kind === 'failed') {
    return { kind: 'failed', submission: await end('failed', sent.reason) };
  }
  const record = await api.readSubmitted(to.dispute.pspDisputeId, to.askedAt);
  return record.kind === 'submitted'
    ? { kind: 'done', submission: await end('submitted') }
    : { kind: 'pending', submission: await end('unknown', sent.reason) };
}

/** A packet that lies there already, unchanged, is not laid there again. */
async function stage(
  deps: SubmitDeps,
  input: SubmitInput,
  to: AnswerTo & { readonly stage: (request: EvidenceRequest) => Promise<StagingResult> },
): Promise<SubmitOutcome> {
  const { found, packet } = to;
  if (
    found?.kind === 'evidence' &&
    found.state === 'staged' &&
    found.contentHash === packet.contentHash
  ) {
    return { kind: 'done', submission: found };
  }
  const begun = await begin(deps, input, to, 'staging');
  if (begun.kind === 'other') return begun.outcome;
  const { reference: staged } = begun.submission;
  const request = await requestOf(deps, to, begun.submission);
  const result = await to.stage({ ...request, ...present({ staged }) });
  const reference = result.kind === 'incomplete' ? undefined : result.reference;
  const end = endOf(deps, input, { ...begun.submission, ...present({ reference }) });
  if (result.kind === 'done') return { kind: 'done', submission: await end('staged') };
  const kind = result.kind === 'incomplete' ? 'incomplete' : 'failed';
  return { kind, submission: await end('failed', result.reason) };
}

/** Fences begin anew in each stage of a dispute. */
async function requestOf(
  deps: Pick<SubmitDeps, 'renderPdf' | 'filesOf'>,
  { key, dispute, packet }: AnswerTo,
  { stage, fence }: Submission,
): Promise<EvidenceRequest> {
  const { pspDisputeId } = dispute;
  const attempt = `${stage}-${fence}`;
  const files = await deps.filesOf(key);
  return { pspDisputeId, attempt, packet, pdf: () => deps.renderPdf(packet), ...files };
}

type Begun =
  | { readonly kind: 'begun'; readonly submission: Submission }
  /** Somebody else answers the dispute just now. */
  | { readonly kind: 'other'; readonly outcome: SubmitOutcome };

async function begin(
  deps: SubmitDeps,
  { actor }: SubmitInput,
  { key, found, packet, isAnother }: AnswerTo,
  state: 'staging' | 'submitting',
): Promise<Begun> {
  const { contentHash } = packet;
  const reference = found?.kind === 'evidence' ? found.reference : undefined;
  const at = deps.clock.now();
  const submission = await deps.submissions.step(key, found?.fence ?? 0, {
    state,
    contentHash,
    actor,
    at,
    ...present({ isAnother: found?.state === 'submitted' ? isAnother : undefined }),
    ...present({ reference, lookUpAt: lookUpAtOf(deps, state, at) }),
  });
  if (submission !== undefined) return { kind: 'begun', submission };
  const other = await deps.submissions.find(key);
  if (other === undefined) return { kind: 'other', outcome: { kind: 'not_found' } };
  if (other.kind === 'acceptance') {
    const obstacle = obstacleInAcceptance(other) ?? { kind: 'accepting' };
    return { kind: 'other', outcome: { kind: 'refused', obstacle } };
  }
  const kind = other.state === 'submitted' ? 'done' : 'pending';
  return { kind: 'other', outcome: { kind, submission: other } };
}

function endOf(deps: SubmitDeps, { actor }: SubmitInput, before: Submission) {
  return (state: Submission['state'], reason?: string): Promise<Submission> =>
    recordStep(deps, { before, step: { state, ...present({ reason }) }, actor });
}
