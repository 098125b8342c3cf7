import { addMs } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { AnswerDeps } from '../submission/answer-deps.ts';
import { lookUpAtOf } from '../submission/resolve-submission.ts';
import type { Acceptance, AcceptanceStep } from '../submission/submission-ports.ts';
import type { AcceptanceApi, AcceptanceGateway } from './acceptance-gateway.ts';

export interface ResolveAcceptanceDeps extends AnswerDeps {
  /** Undefined where the merchant has no connection to the PSP. */
  findAcceptanceGateway(account: {
    readonly merchantId: string;
    readonly psp: Psp;
  }): Promise<AcceptanceGateway | undefined>;
  /** Makes the dispute `accepted`, as an event of its PSP would. It may be repeated. */
  noteAccepted(dispute: DisputeDetail, at: Date): Promise<void>;
}

/** How an acceptance stands. */
type Resolved = {
  readonly kind: 'done' | 'pending' | 'failed';
  readonly acceptance: Acceptance;
};

/**
 * What became of an acceptance that was begun before. Undefined where it may be begun again: it failed,
 * or the PSP's record says that nothing was accepted.
 */
export async function resolveAcceptance(
  deps: ResolveAcceptanceDeps,
  about: {
    readonly found: Acceptance;
    readonly dispute: DisputeDetail;
    readonly api: AcceptanceApi | undefined;
    readonly actor: string;
  },
): Promise<Resolved | undefined> {
  const { found, dispute, api, actor } = about;
  const { state } = found;
  if (state === 'accepted') return { kind: 'done', acceptance: found };
  if (state === 'failed') return failedBefore(deps, { ...about, api });
  const done = () => endAccepted(deps, { before: found, dispute, actor });
  const told = toldOf(dispute);
  if (told === 'accepted') return done();
  const isInFlight = deps.clock.now() < addMs(found.updatedAt, deps.inFlightMs);
  const pending = { kind: 'pending', acceptance: found } as const;
  if (isInFlight && state === 'accepting') return pending;
  const end = (step: Pick<AcceptanceStep, 'state' | 'reason'>) =>
    recordAcceptance(deps, { before: found, step, actor });
  if (told !== undefined) {
    return { kind: 'failed', acceptance: await end({ state: 'failed', reason: told.reason }) };
  }
  if (api === undefined) return pending;
  const record = await api.readAccepted(dispute.pspDisputeId);
  switch (record.kind) {
    case 'accepted':
      return done();
    case 'not_accepted':
      // What was sent a moment ago may still arrive.
      return isInFlight ? pending : undefined;
    case 'unreadable': {
      if (state === 'unknown') return pending;
      const { reason } = record;
      return { kind: 'pending', acceptance: await end({ state: 'unknown', reason }) };
    }
  }
}

/** A release from before may have called it failed, and it gives money away: the record is asked. */
async function failedBefore(
  deps: ResolveAcceptanceDeps,
  {
    found,
    dispute,
    api,
    actor,
  }: {
    readonly found: Acceptance;
    readonly dispute: DisputeDetail;
    readonly api: AcceptanceApi | undefined;
    readonly actor: string;
  },
): Promise<Resolved | undefined> {
  const { state } = dispute;
  if (api === undefined || state.kind !== 'dispute' || state.status !== 'needs_response') {
    return undefined;
  }
  const record = await api.readAccepted(dispute.pspDisputeId);
  if (record.kind !== 'accepted') return undefined;
  return endAccepted(deps, { before: found, dispute, actor });
}

/**
 * What the PSP tells of the dispute itself since. Some have no other word for one that was accepted than
 * `lost`.
 */
function toldOf({ state }: DisputeDetail): 'accepted' | { readonly reason: string } | undefined {
  if (state.kind !== 'dispute' || state.status === 'needs_response') return undefined;
  if (state.status === 'accepted' || state.status === 'lost') return 'accepted';
  return { reason: `The dispute was not accepted: it is ${state.status.replaceAll('_', ' ')}.` };
}

/** The dispute first: should this process end in between, its state says what to make of the row. */
export async function endAccepted(
  deps: ResolveAcceptanceDeps,
  input: {
    readonly before: Acceptance;
    readonly dispute: DisputeDetail;
    readonly actor: string;
  },
): Promise<Resolved & { readonly kind: 'done' }> {
  const { before, dispute, actor } = input;
  const { state } = dispute;
  if (state.kind !== 'dispute' || state.status !== 'accepted') {
    // The PSP's clock may be ahead of ours: what it told before is older all the same.
    const at = new Date(Math.max(deps.clock.now().getTime(), dispute.stateAt.getTime() + 1));
    await deps.noteAccepted(dispute, at);
  }
  const step = { state: 'accepted' } as const;
  return { kind: 'done', acceptance: await recordAcceptance(deps, { before, step, actor }) };
}

/** The acceptance after a step, or what somebody else made of it meanwhile. */
export async function recordAcceptance(
  deps: AnswerDeps,
  input: {
    readonly before: Acceptance;
    readonly step: Pick<AcceptanceStep, 'state' | 'reason'>;
    readonly actor: string;
  },
): Promise<Acceptance> {
  const { before, step, actor } = input;
  const at = deps.clock.now();
  const written = await deps.submissions.stepAcceptance(before, before.fence, {
    ...step,
    actor,
    at,
    ...present({ lookUpAt: lookUpAtOf(deps, step.state, at) }),
  });
  if (written !== undefined) return written;
  const other = await deps.submissions.find(before);
  return other?.kind === 'acceptance' ? other : before;
}
