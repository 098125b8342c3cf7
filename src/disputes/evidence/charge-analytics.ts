import { matchDispute } from '../../domain/disputes/matching/match-dispute.ts';
import type {
  AnalyticsIdentifiers,
  DisputeIdentifiers,
  MatchScore,
} from '../../domain/disputes/matching/match-score.ts';
import { present } from '../../domain/present.ts';
import type { EvidenceRecords, KnownCharge } from './evidence-ports.ts';

/** The analytics record that belongs to a charge. */
export interface ChargeAnalytics {
  readonly analyticsId: string;
  readonly capturedAt?: Date;
  /** It is of an earlier checkout, such as the one that began the subscription. */
  readonly isInherited: boolean;
  /** It is of another checkout of the customer: neither its subscription nor a person says that it began with that one. */
  readonly isOtherMandate: boolean;
}

/**
 * Which analytics record belongs to each charge, by the matching of disputes: one that a person
 * would have to decide on is none. The disputed charge has the match that was kept, if there is
 * one.
 */
export function chargeAnalytics(records: EvidenceRecords): {
  readonly disputed?: ChargeAnalytics;
  readonly of: (charge: KnownCharge) => ChargeAnalytics | undefined;
} {
  const { analyticsRecords, dispute } = records;
  const [kept] = dispute.matchState === 'matched' ? dispute.matches : [];
  const byId = new Map(
    analyticsRecords.map((analyticsRecord) => [analyticsRecord.id, analyticsRecord]),
  );
  const disputed = kept && {
    analyticsId: kept.analyticsId,
    isInherited: kept.isInherited,
    isOtherMandate: isOtherMandate(kept),
    ...present({ capturedAt: byId.get(kept.analyticsId)?.capturedAt }),
  };
  return {
    ...present({ disputed }),
    of: analyticsFinder(records, dispute.facts.pspCustomerId),
  };
}

/** Finds the analytics record of a charge among those that have anything in common with it. */
export function analyticsFinder(
  known: Pick<EvidenceRecords, 'analyticsRecords' | 'renewals'>,
  pspCustomerId?: string,
): (charge: KnownCharge) => ChargeAnalytics | undefined {
  const analyticsRecords = withSubscriptions(known);
  return (charge) => best(identifiersOf(charge, pspCustomerId), analyticsRecords);
}

function best(
  identifiers: DisputeIdentifiers,
  analyticsRecords: readonly AnalyticsIdentifiers[],
): ChargeAnalytics | undefined {
  const outcome = matchDispute(identifiers, analyticsRecords);
  const [first] = outcome.kind === 'matched' ? outcome.matches : [];
  if (first === undefined) return undefined;
  const { analyticsRecord, isInherited } = first;
  return {
    analyticsId: analyticsRecord.id,
    capturedAt: analyticsRecord.capturedAt,
    isInherited,
    isOtherMandate: isOtherMandate(first),
  };
}

function isOtherMandate({ isInherited, reasons }: Pick<MatchScore, 'isInherited' | 'reasons'>) {
  return isInherited && !reasons.includes('subscription') && !reasons.includes('person');
}

function identifiersOf(charge: KnownCharge, customerId: string | undefined): DisputeIdentifiers {
  const { id, otherId, psp, invoiceId, processedAt, money } = charge;
  return {
    psp,
    paymentIds: otherId === undefined ? [id] : [id, otherId],
    invoiceIds: [invoiceId],
    chargedAt: processedAt,
    amountMinor: money.amountMinor,
    ...present({
      networkTransactionId: charge.networkTransactionId,
      subscriptionId: charge.subscriptionId,
      customerId,
    }),
  };
}

/** An analytics record that names a charge of a subscription alone is the subscription's too. */
function withSubscriptions(
  records: Pick<EvidenceRecords, 'analyticsRecords' | 'renewals'>,
): readonly AnalyticsIdentifiers[] {
  const bySubscribed = new Map<string, string>();
  for (const { id, otherId, psp, invoiceId, subscriptionId } of records.renewals) {
    if (subscriptionId === undefined) continue;
    for (const name of [id, otherId, invoiceId]) {
      if (name !== undefined) bySubscribed.set(`${psp}/${name}`, subscriptionId);
    }
  }
  return records.analyticsRecords.map((analyticsRecord) => {
    if (analyticsRecord.subscriptionId !== undefined) return analyticsRecord;
    const subscriptionId = [
      analyticsRecord.chargeId,
      analyticsRecord.transactionId,
      analyticsRecord.invoiceId,
    ]
      .map((name) => bySubscribed.get(`${analyticsRecord.psp}/${name}`))
      .find((found) => found !== undefined);
    return subscriptionId === undefined ? analyticsRecord : { ...analyticsRecord, subscriptionId };
  });
}
