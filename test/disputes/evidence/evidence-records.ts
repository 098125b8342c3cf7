import type { DisputeDetail } from '../../../src/disputes/dispute-ports.ts';
import type {
  EvidenceRecords,
  KnownCharge,
} from '../../../src/disputes/evidence/evidence-ports.ts';
import type { AnalyticsIdentifiers } from '../../../src/domain/disputes/matching/match-score.ts';
import { daysBeforeCharge, disputedAt, processedAt } from '../../kits/dispute-cases.ts';

/** A charge of a subscription that Recoup's records have; the disputed one unless it is changed. */
export function knownCharge(changes: Partial<KnownCharge> = {}): KnownCharge {
  return {
    id: 'ch_disputed',
    psp: 'stripe',
    invoiceId: 'in_disputed',
    subscriptionId: 'sub_1',
    customerId: 'cus_1',
    paymentMethodId: 'pm_1',
    credential: 'fp_1',
    processedAt,
    money: { amountMinor: 4_900, currency: 'EUR' },
    isRetry: false,
    isDisputed: false,
    hasFraudReport: false,
    ...changes,
  };
}

/** A charge of the same card, 200 days before. */
export const earlierCharge = (changes: Partial<KnownCharge> = {}): KnownCharge =>
  knownCharge({ id: 'ch_1', invoiceId: 'in_1', processedAt: daysBeforeCharge(200), ...changes });

/** A charge's name without a subscription. */
export function withoutSubscription({ subscriptionId: _, ...charge }: KnownCharge): KnownCharge {
  return charge;
}

/** What a checkout captured a day before the first charge, by the id of that charge. */
export const checkoutOf = (changes: Partial<AnalyticsIdentifiers> = {}): AnalyticsIdentifiers => ({
  id: 'an_1',
  psp: 'stripe',
  capturedAt: daysBeforeCharge(201),
  ...changes,
});

/** A chargeback of which nothing is known but the PSP's own words. */
export function disputeDetail(changes: Partial<DisputeDetail> = {}): DisputeDetail {
  return {
    merchantId: 'mer_1',
    psp: 'stripe',
    pspDisputeId: 'du_1',
    disputeId: 'dis_1',
    origin: 'psp',
    state: { kind: 'dispute', stage: 'chargeback', status: 'needs_response' },
    stateAt: disputedAt,
    stageBegunAt: disputedAt,
    facts: { pspDisputeId: 'du_1', openedAt: disputedAt, paymentIds: ['ch_disputed'] },
    lookUp: { state: 'none', tries: 0 },
    matchState: 'none',
    blocksRetries: true,
    changes: [],
    matches: [],
    ...changes,
  };
}

export function evidenceRecords(changes: Partial<EvidenceRecords> = {}): EvidenceRecords {
  return {
    dispute: disputeDetail(),
    merchantName: 'Acme',
    details: {},
    charge: knownCharge(),
    earlier: [],
    renewals: [],
    analyticsRecords: [],
    tries: [],
    deliveries: [],
    refunds: [],
    ...changes,
  };
}
