import type { Clock } from '../domain/clock.ts';
import { mergeFacts, supersedes } from '../domain/disputes/merge-report.ts';
import {
  type DisputeFacts,
  keptDispute,
  type ReportedDispute,
} from '../domain/disputes/reported-dispute.ts';
import type { DisputeState } from '../domain/disputes/words/dispute-state.ts';
import { respondBy } from '../domain/disputes/words/respond-by.ts';
import { newId } from '../domain/ids.ts';
import { present } from '../domain/present.ts';
import type { Random } from '../domain/random.ts';
import type {
  ChargeFacts,
  DisputeRecord,
  DisputeStore,
  IncomingDispute,
  StopRetries,
} from './dispute-ports.ts';

export interface TakeInDisputeDeps {
  readonly clock: Clock;
  readonly random: Random;
  readonly disputes: Pick<DisputeStore, 'change' | 'findCharge'>;
  readonly stopRetries: StopRetries;
}

/**
 * Takes in what is told of a dispute: kept first, then the retries of its card are stopped. Each may be
 * repeated without harm. Undefined where its id cannot be kept.
 */
export async function takeInDispute(
  deps: TakeInDisputeDeps,
  incoming: IncomingDispute,
): Promise<DisputeRecord | undefined> {
  const { merchantId, psp, occurredAt } = incoming;
  const dispute = keptDispute(incoming.dispute);
  if (dispute === undefined) return undefined;
  const { pspDisputeId, paymentIds, idempotencyKey, paymentMethodId } = dispute;
  const charge = await deps.disputes.findCharge({
    merchantId,
    psp,
    paymentIds,
    ...present({ idempotencyKey, paymentMethodId }),
  });
  const record = await deps.disputes.change(
    { merchantId, psp, pspDisputeId },
    (stored) => merged(deps, { ...incoming, dispute }, charge, stored),
    { state: stateOf(dispute), occurredAt },
    deps.clock.now(),
  );
  if (blocksRetries(record.state)) {
    const { disputeId } = record;
    await deps.stopRetries({ merchantId, disputeId, detail: detailOf(record) });
  }
  return record;
}

function detailOf({ state, pspDisputeId, psp }: DisputeRecord): string {
  const what = state.kind === 'dispute' ? 'a dispute' : 'a fraud warning';
  return `The card has ${what} at ${psp}: ${pspDisputeId}`.slice(0, 500);
}

/** An open dispute, or a warning; the column of the same name says the same. */
export function blocksRetries(state: DisputeState): boolean {
  if (state.kind === 'fraud_warning') return true;
  return state.status === 'needs_response' || state.status === 'under_review';
}

function merged(
  { random }: Pick<TakeInDisputeDeps, 'random'>,
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
  const isSameStage =
    stored !== undefined && (!isNewer || stageOf(stored.state) === stageOf(said.state));
  const stageBegunAt = isSameStage ? stored.stageBegunAt : occurredAt;
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
    ...present({ respondBy: due, customerId: customerId ?? stored?.customerId }),
  };
}

function factsAfter(
  told: DisputeFacts,
  stored: DisputeRecord | undefined,
  { isNewer, isSameStage }: { readonly isNewer: boolean; readonly isSameStage: boolean },
): DisputeFacts {
  if (stored === undefined) return told;
  if (!isNewer) return mergeFacts(stored.facts, told);
  // Each stage has a deadline of its own.
  const { respondBy: _, ...older } = stored.facts;
  return mergeFacts(told, isSameStage ? stored.facts : older);
}

function stageOf(state: DisputeState): string {
  return state.kind === 'dispute' ? state.stage : state.kind;
}

function stateOf(dispute: ReportedDispute): DisputeState {
  const { kind } = dispute;
  if (kind === 'fraud_warning') return { kind };
  return { kind, stage: dispute.stage, status: dispute.status };
}

function factsOf(dispute: ReportedDispute): DisputeFacts {
  const stateFields: readonly string[] = ['kind', 'stage', 'status'];
  const entries = Object.entries(dispute).filter(([field]) => !stateFields.includes(field));
  return Object.fromEntries(entries) as unknown as DisputeFacts;
}
