import { matchDispute } from '../../domain/disputes/matching/match-dispute.ts';
import type {
  CaptureIdentifiers,
  DisputeIdentifiers,
} from '../../domain/disputes/matching/match-score.ts';
import { present } from '../../domain/present.ts';
import type { EvidenceRecords, KnownCharge } from './evidence-ports.ts';

/** The capture that belongs to a charge. */
export interface ChargeCapture {
  readonly analyticsId: string;
  readonly capturedAt?: Date;
  /** It is of an earlier checkout, such as the one that began the subscription. */
  readonly isInherited: boolean;
}

/**
 * Which capture belongs to each charge, by the matching of disputes: one that a person would have to
 * decide on is none. The disputed charge has the match that was kept, if there is one.
 */
export function chargeCaptures(records: EvidenceRecords): {
  readonly disputed?: ChargeCapture;
  readonly of: (charge: KnownCharge) => ChargeCapture | undefined;
} {
  const { captures, dispute } = records;
  const [kept] = dispute.matchState === 'matched' ? dispute.matches : [];
  const byId = new Map(captures.map((capture) => [capture.id, capture]));
  const disputed = kept && {
    analyticsId: kept.analyticsId,
    isInherited: kept.isInherited,
    ...present({ capturedAt: byId.get(kept.analyticsId)?.capturedAt }),
  };
  return {
    ...present({ disputed }),
    of: captureFinder(records, dispute.facts.pspCustomerId),
  };
}

/** Finds the capture of a charge among those that have anything in common with it. */
export function captureFinder(
  known: Pick<EvidenceRecords, 'captures' | 'renewals'>,
  pspCustomerId?: string,
): (charge: KnownCharge) => ChargeCapture | undefined {
  const captures = withSubscriptions(known);
  return (charge) => best(identifiersOf(charge, pspCustomerId), captures);
}

function best(
  identifiers: DisputeIdentifiers,
  captures: readonly CaptureIdentifiers[],
): ChargeCapture | undefined {
  const outcome = matchDispute(identifiers, captures);
  const [first] = outcome.kind === 'matched' ? outcome.matches : [];
  if (first === undefined) return undefined;
  const { capture, isInherited } = first;
  return { analyticsId: capture.id, capturedAt: capture.capturedAt, isInherited };
}

function identifiersOf(charge: KnownCharge, customerId: string | undefined): DisputeIdentifiers {
  const { id, otherId, psp, invoiceId, processedAt, money } = charge;
  return {
    psp,
    paymentIds: otherId === undefined ? [id] : [id, otherId],
    invoiceId,
    chargedAt: processedAt,
    amountMinor: money.amountMinor,
    ...present({
      networkTransactionId: charge.networkTransactionId,
      subscriptionId: charge.subscriptionId,
      customerId,
    }),
  };
}

/** A capture that names a charge of a subscription alone is the subscription's too. */
function withSubscriptions(
  records: Pick<EvidenceRecords, 'captures' | 'renewals'>,
): readonly CaptureIdentifiers[] {
  const bySubscribed = new Map<string, string>();
  for (const { id, otherId, psp, invoiceId, subscriptionId } of records.renewals) {
    if (subscriptionId === undefined) continue;
    for (const name of [id, otherId, invoiceId]) {
      if (name !== undefined) bySubscribed.set(`${psp}/${name}`, subscriptionId);
    }
  }
  return records.captures.map((capture) => {
    if (capture.subscriptionId !== undefined) return capture;
    const subscriptionId = [capture.chargeId, capture.transactionId, capture.invoiceId]
      .map((name) => bySubscribed.get(`${capture.psp}/${name}`))
      .find((found) => found !== undefined);
    return subscriptionId === undefined ? capture : { ...capture, subscriptionId };
  });
}
