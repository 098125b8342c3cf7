import type { Clock } from '../domain/clock.ts';
import { type Match, matchDispute } from '../domain/disputes/matching/match-dispute.ts';
import type { DisputeIdentifiers } from '../domain/disputes/matching/match-score.ts';
import { present } from '../domain/present.ts';
import type { DisputeMatch, DisputeRecord, MatchState, MatchStore } from './dispute-ports.ts';

export interface MatchDeps {
  readonly clock: Clock;
  readonly matches: MatchStore;
}

/** Matches that are kept of one dispute: more than a person looks at. */
const keptMost = 20;

/**
 * Finds which capture belongs to a dispute, and keeps what was found with its reasons: one match, all
 * that are equal where they are of different customers, or those that a person may look at.
 */
export async function findMatch(
  deps: MatchDeps,
  dispute: DisputeRecord,
): Promise<Exclude<MatchState, 'pending'>> {
  const { merchantId, disputeId } = dispute;
  const at = deps.clock.now();
  const captures = await deps.matches.findCandidates(dispute);
  const outcome = matchDispute(identifiersOf(dispute), captures);
  const found =
    outcome.kind === 'matched'
      ? [outcome.match]
      : outcome.kind === 'none'
        ? []
        : outcome.matches.slice(0, keptMost);
  const matches = found.map(toMatch);
  await deps.matches.save({ merchantId, disputeId, state: outcome.kind, matches, at });
  return outcome.kind;
}

/** Looks again at disputes without a match, for captures that came later. How many were looked at. */
export async function matchAgain(
  deps: MatchDeps,
  input: { readonly lookedBefore: Date; readonly openedAfter: Date; readonly limit: number },
): Promise<number> {
  const disputes = await deps.matches.findUnmatched(input);
  for (const dispute of disputes) await findMatch(deps, dispute);
  return disputes.length;
}

function identifiersOf({ psp, facts }: DisputeRecord): DisputeIdentifiers {
  return {
    psp,
    paymentIds: facts.paymentIds,
    chargedAt: facts.chargedAt ?? facts.openedAt,
    ...present({
      networkTransactionId: facts.networkTransactionId,
      // Most merchants send the invoice's id as their reference.
      invoiceId: facts.invoiceId ?? facts.merchantReference,
      subscriptionId: facts.subscriptionId,
      customerId: facts.pspCustomerId,
      card: facts.cardFingerprint,
      amountMinor: facts.money?.amountMinor,
    }),
  };
}

function toMatch({ capture, score, reasons, isInherited }: Match): DisputeMatch {
  return { analyticsId: capture.id, score, reasons, isInherited };
}
