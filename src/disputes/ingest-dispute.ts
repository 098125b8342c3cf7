import { type Clock, earlierOf } from '../domain/clock.ts';
import { mergeFacts, supersedes } from '../domain/disputes/merge-report.ts';
import type { DisputeStage, DisputeState } from '../domain/disputes/normalise/dispute-state.ts';
import { respondBy } from '../domain/disputes/normalise/respond-by.ts';
import {
  type DisputeFacts,
  keptDispute,
  type ReportedDispute,
} from '../domain/disputes/reported-dispute.ts';
import { newId } from '../domain/ids.ts';
import { present } from '../domain/present.ts';
import type { Random } from '../domain/random.ts';
import type {
  ChargeFacts,
  DisputeKey,
  DisputeRecord,
  DisputeStore,
  HashEmail,
  IncomingDispute,
  LookUpProgress,
} from './dispute-ports.ts';
import { factsOf } from './facts-of.ts';
import { type StopDeps, stopIfBlocked } from './stop-if-blocked.ts';

export interface IngestDisputeDeps extends StopDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly disputes: Pick<DisputeStore, 'change' | 'findCharge'>;
  readonly hashEmail: HashEmail;
  /** Whether that stage was accepted through Recoup, or may have been. */
  readonly wasAccepted: (of: DisputeKey & { readonly stage: DisputeStage }) => Promise<boolean>;
}

/**
 * Ingests what is reported of a dispute: kept first, then the retries of its card are stopped. Each may be
 * repeated without harm. Its look-up at the PSP is due then. Undefined where its id cannot be kept.
 */
export async function ingestDispute(
  deps: IngestDisputeDeps,
  incoming: IncomingDispute,
): Promise<DisputeRecord | undefined> {
  const { merchantId, psp, occurredAt, email } = incoming;
  const kept = keptDispute(incoming.dispute);
  if (kept === undefined) return undefined;
  const told = await acceptedWhereDecided(deps, { merchantId, psp }, kept);
  const { pspDisputeId, paymentIds, idempotencyKey, paymentMethodId } = told;
  const charge = await deps.disputes.findCharge({
    merchantId,
    psp,
    paymentIds,
    ...present({ idempotencyKey, paymentMethodId }),
  });
  const emailIndex = email === undefined ? undefined : await deps.hashEmail(merchantId, email);
  const dispute = { ...told, ...present({ emailIndex }) };
  const now = deps.clock.now();
  const record = await deps.disputes.change(
    { merchantId, psp, pspDisputeId },
    (stored) => merged({ random: deps.random, now }, { ...incoming, dispute }, charge, stored),
    { state: stateOf(dispute), occurredAt },
    now,
  );
  await stopIfBlocked(deps, record);
  return record;
}

/** Some PSPs call it lost: what was accepted is lost by decision, and stays so. */
async function acceptedWhereDecided(
  deps: Pick<IngestDisputeDeps, 'wasAccepted'>,
  account: Omit<DisputeKey, 'pspDisputeId'>,
  told: ReportedDispute,
): Promise<ReportedDispute> {
  if (told.kind !== 'dispute' || told.status !== 'lost') return told;
  const { pspDisputeId, stage } = told;
  const isAccepted = await deps.wasAccepted({ ...account, pspDisputeId, stage });
  return isAccepted ? { ...told, status: 'accepted' } : told;
}

function merged(
  { random, now }: { readonly random: Random; readonly now: Date },
  incoming: IncomingDispute,
  { customerId, ...charge }: ChargeFacts,
  stored: DisputeRecord | undefined,
): DisputeRecord {
  const { merchantId, psp, origin, dispute, occurredAt } = incoming;
  const said = { state: stateOf(dispute), at: occurredAt };
  // What the PSP says of the charge comes before what was reported of it.
  const told: DisputeFacts = { ...charge, ...factsOf(dispute) };
  const isNewer =
    stored === undefined || supersedes(said, { state: stored.state, at: stored.stateAt });
  const { state, at } = isNewer ? said : { state: stored.state, at: stored.stateAt };
  const isSameStage = stored !== undefined && stageOf(stored.state) === stageOf(said.state);
  const stageBegunAt = begunAt(stored, occurredAt, { isNewer, isSameStage });
  const facts = factsAfter(told, stored, { isNewer, isSameStage });
  const due = respondBy({
    psp,
    state,
    stageBegunAt,
    ...present({ network: facts.network, pspDeadline: facts.respondBy }),
  });
  return {
    merchantId,
    psp,
    pspDisputeId: dispute.pspDisputeId,
    disputeId: stored?.disputeId ?? newId(random, 'dis'),
    origin: stored?.origin ?? origin,
    state,
    stateAt: at,
    stageBegunAt,
    facts,
    lookUp: lookUpAfter(stored, dispute, now),
    ...present({ respondBy: due, customerId: customerId ?? stored?.customerId }),
  };
}

/**
 * Due at once for a new dispute, and again where an event names another payment or says what nobody
 * signed; one that was given up begins anew.
 */
function lookUpAfter(
  stored: DisputeRecord | undefined,
  told: ReportedDispute,
  now: Date,
): LookUpProgress {
  const isKnown =
    stored?.lookUp.state === 'done' &&
    (told.unsignedFields ?? []).length === 0 &&
    told.paymentIds.every((id) => stored.facts.paymentIds.includes(id));
  return isKnown ? stored.lookUp : { state: 'pending', tries: 0, nextAt: now };
}

/** A stage began with the first that is told of it, also where that comes last. */
function begunAt(
  stored: DisputeRecord | undefined,
  occurredAt: Date,
  { isNewer, isSameStage }: { readonly isNewer: boolean; readonly isSameStage: boolean },
): Date {
  if (stored === undefined || (isNewer && !isSameStage)) return occurredAt;
  return isSameStage ? earlierOf(stored.stageBegunAt, occurredAt) : stored.stageBegunAt;
}

function factsAfter(
  told: DisputeFacts,
  stored: DisputeRecord | undefined,
  { isNewer, isSameStage }: { readonly isNewer: boolean; readonly isSameStage: boolean },
): DisputeFacts {
  if (stored === undefined) return told;
  const [newer, older] = isNewer ? [told, stored.facts] : [stored.facts, told];
  // Each stage has a deadline of its own.
  const { respondBy: _, ...rest } = older;
  return mergeFacts(newer, isSameStage ? older : rest);
}

function stageOf(state: DisputeState): string {
  return state.kind === 'dispute' ? state.stage : state.kind;
}

function stateOf(dispute: ReportedDispute): DisputeState {
  const { kind } = dispute;
  if (kind === 'fraud_warning') return { kind };
  return { kind, stage: dispute.stage, status: dispute.status };
}
