import { addMs, type Clock, hourMs, minuteMs } from '../domain/clock.ts';
import { type DisputeAnswer, withAnswer } from '../domain/disputes/dispute-look-up.ts';
import { respondBy } from '../domain/disputes/normalise/respond-by.ts';
import { type DisputeFacts, keptDispute } from '../domain/disputes/reported-dispute.ts';
import { present } from '../domain/present.ts';
import type {
  AskPsp,
  DisputeRecord,
  DisputeStore,
  HashEmail,
  LookUpProgress,
} from './dispute-ports.ts';
import { factsOf } from './facts-of.ts';
import { type StopDeps, stopIfBlocked } from './stop-if-blocked.ts';

export interface LookUpDeps extends StopDeps {
  readonly clock: Clock;
  readonly disputes: Pick<DisputeStore, 'change' | 'findCharge' | 'findLookUpsDue'>;
  readonly askPsp: AskPsp;
  readonly hashEmail: HashEmail;
}

/** After the first try that failed; each further one waits twice as long, up to `longestWaitMs`. */
const firstWaitMs = minuteMs;
const longestWaitMs = 12 * hourMs;
/** About six days: longer than any outage, and still before most deadlines. */
const maxTries = 20;

/**
 * Reads at the PSP what the events of a dispute left out, and stops the retries of the card that is
 * known then. Where the PSP does not answer the dispute stays as it is, and is looked up again.
 */
export async function lookUpDispute(
  deps: LookUpDeps,
  record: DisputeRecord,
): Promise<DisputeRecord> {
  if (record.lookUp.state !== 'pending') return record;
  const { merchantId, psp, pspDisputeId, state, facts } = record;
  const { paymentIds } = facts;
  const { kind } = state;
  const said = kind === 'dispute' ? { status: state.status } : {};
  const question = { kind, pspDisputeId, paymentIds, ...said };
  const answer = await deps.askPsp({ merchantId, psp }, question);
  const email = answer?.kind === 'read' ? answer.email : undefined;
  const emailIndex = email === undefined ? undefined : await deps.hashEmail(merchantId, email);
  const now = deps.clock.now();
  const changed = await deps.disputes.change(
    { merchantId, psp, pspDisputeId },
    (stored = record) => ({
      ...(answer?.kind === 'read' ? answered(stored, answer, present({ emailIndex })) : stored),
      lookUp: progressAfter(stored.lookUp, answer, now),
    }),
    undefined,
    now,
  );
  if (answer?.kind === 'read') await stopIfBlocked(deps, changed);
  return changed;
}

/** Looks up the disputes whose look-up is due; each goes to `done`. How many there were. */
export async function lookUpDue(
  deps: LookUpDeps & { readonly done: (record: DisputeRecord) => Promise<unknown> },
  input: { readonly at: Date; readonly limit: number },
): Promise<number> {
  const due = await deps.disputes.findLookUpsDue(input);
  for (const record of due) await deps.done(await lookUpDispute(deps, record));
  return due.length;
}

function answered(
  stored: DisputeRecord,
  { facts: read, verified = [] }: Extract<DisputeAnswer, { kind: 'read' }>,
  index: Pick<DisputeFacts, 'emailIndex'>,
): DisputeRecord {
  const { psp, state, stageBegunAt } = stored;
  const whole = { ...withAnswer(stored.facts, read, verified), ...index };
  // The record's texts are kept by the rules of the events': an id that cannot be is left out.
  const kept = keptDispute({ ...whole, ...state });
  const facts = kept === undefined ? stored.facts : factsOf(kept);
  const { respondBy: _, ...rest } = stored;
  const due = respondBy({
    psp,
    state,
    stageBegunAt,
    ...present({ network: facts.network, pspDeadline: facts.respondBy }),
  });
  return { ...rest, facts, ...present({ respondBy: due }) };
}

function progressAfter(
  stored: LookUpProgress,
  answer: DisputeAnswer | undefined,
  now: Date,
): LookUpProgress {
  if (answer === undefined) return { state: 'none', tries: 0 };
  if (answer.kind !== 'unavailable') return { state: 'done', tries: 0 };
  const tries = stored.tries + 1;
  if (tries >= maxTries) return { state: 'failed', tries };
  const waitMs = Math.min(longestWaitMs, firstWaitMs * 2 ** stored.tries);
  return { state: 'pending', tries, nextAt: addMs(now, waitMs) };
}
