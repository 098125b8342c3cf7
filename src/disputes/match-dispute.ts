import type { Clock } from '../domain/clock.ts';
import { type Match, matchDispute } from '../domain/disputes/matching/match-dispute.ts';
import type { DisputeIdentifiers } from '../domain/disputes/matching/match-score.ts';
import { invoiceIdsOf } from '../domain/disputes/reported-dispute.ts';
import { present } from '../domain/present.ts';
import type {
  DisputeMatch,
  DisputeRecord,
  DisputeStore,
  MatchState,
  MatchStore,
} from './dispute-ports.ts';
import { type StopDeps, stopIfBlocked } from './stop-if-blocked.ts';

export interface MatchDeps {
  readonly clock: Clock;
  readonly matches: MatchStore;
}

/** Matches that are kept of one dispute: more than a person looks at. */
const maxKept = 20;

/**
 * Finds which analytics record belongs to a dispute, and keeps what was found with its reasons: one
 * match, all that are equal where they are of different customers, or those that a person may look
 * at.
 */
export async function findMatch(
  deps: MatchDeps,
  dispute: DisputeRecord,
): Promise<Exclude<MatchState, 'pending'>> {
  const { merchantId, disputeId } = dispute;
  // Before the look: what comes while it lasts is looked for again.
  const at = deps.clock.now();
  const analyticsRecords = await deps.matches.findCandidates(dispute);
  const outcome = matchDispute(identifiersOf(dispute), analyticsRecords);
  const found = outcome.kind === 'none' ? [] : outcome.matches.slice(0, maxKept);
  const matches = found.map(toMatch);
  await deps.matches.save({ merchantId, disputeId, state: outcome.kind, matches, at });
  return outcome.kind;
}

/**
 * Looks again at disputes that may have a better match by now, or whose card may be known, for analytics
 * records and payments that came later. How many were looked at.
 */
export async function matchAgain(
  deps: MatchDeps & StopDeps & { readonly disputes: Pick<DisputeStore, 'change' | 'findCharge'> },
  input: Parameters<MatchStore['findToMatch']>[0],
): Promise<number> {
  const disputes = await deps.matches.findToMatch(input);
  for (const dispute of disputes) await findMatch(deps, await withPayment(deps, dispute));
  return disputes.length;
}

/** A payment that was reported after its dispute tells what the dispute's events left out, such as its card. */
async function withPayment(
  deps: Pick<MatchDeps, 'clock'> &
    StopDeps & { readonly disputes: Pick<DisputeStore, 'change' | 'findCharge'> },
  dispute: DisputeRecord,
): Promise<DisputeRecord> {
  const { merchantId, psp, pspDisputeId, facts } = dispute;
  const { paymentIds, idempotencyKey, paymentMethodId } = facts;
  const asked = { merchantId, psp, paymentIds, ...present({ idempotencyKey, paymentMethodId }) };
  const { customerId, ...charge } = await deps.disputes.findCharge(asked);
  const news = Object.keys(charge).filter((field) => !(field in facts));
  const isNewCustomer = customerId !== undefined && dispute.customerId === undefined;
  if (news.length === 0 && !isNewCustomer) return dispute;
  const changed = await deps.disputes.change(
    { merchantId, psp, pspDisputeId },
    (stored = dispute) => ({
      ...stored,
      facts: { ...charge, ...stored.facts },
      ...present({ customerId: stored.customerId ?? customerId }),
    }),
    undefined,
    deps.clock.now(),
  );
  await stopIfBlocked(deps, changed);
  return changed;
}

function identifiersOf({ psp, facts }: DisputeRecord): DisputeIdentifiers {
  return {
    psp,
    paymentIds: facts.paymentIds,
    chargedAt: facts.chargedAt ?? facts.openedAt,
    invoiceIds: invoiceIdsOf(facts),
    ...present({
      networkTransactionId: facts.networkTransactionId,
      subscriptionId: facts.subscriptionId,
      customerId: facts.pspCustomerId,
      card: facts.cardFingerprint ?? facts.paymentMethodId,
      emailIndex: facts.emailIndex,
      amountMinor: facts.money?.amountMinor,
    }),
  };
}

function toMatch({ analyticsRecord, score, reasons, isInherited }: Match): DisputeMatch {
  return { analyticsId: analyticsRecord.id, score, reasons, isInherited };
}
