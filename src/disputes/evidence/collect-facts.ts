import type { PersonalData } from '../../domain/analytics/analytics.ts';
import type { CheckoutElements } from '../../domain/disputes/ce3/elements.ts';
import type {
  DisputedTransaction,
  DisputeReason,
  EvidenceTransaction,
  PriorTransaction,
} from '../../domain/disputes/ce3/transactions.ts';
import type { Money } from '../../domain/money.ts';
import { present } from '../../domain/present.ts';
import type { AddedEvidenceStore } from '../added/added-ports.ts';
import type { DisputeDetail } from '../dispute-ports.ts';
import type { AnalyticsStore, Reader } from '../ports.ts';
import { type ChargeAnalytics, chargeAnalytics } from './charge-analytics.ts';
import { disputedSubscription, type EvidenceRecords, type KnownCharge } from './evidence-ports.ts';
import { isAtStart } from './is-at-start.ts';
import { makeTimeline } from './make-timeline.ts';
import type { PacketFacts } from './packet-facts.ts';

export interface CollectDeps {
  readonly analytics: Pick<AnalyticsStore, 'readPersonalData'>;
  readonly added: Pick<AddedEvidenceStore, 'open'>;
}

export type CollectedFacts =
  | { readonly kind: 'facts'; readonly facts: PacketFacts }
  /** What is disputed is not known, so that no packet can say it. */
  | { readonly kind: 'no_amount' };

/**
 * The facts of a dispute's packet. Analytics records of the disputed charge and of each earlier
 * charge of its card are opened, each once, with a line in the audit log.
 */
export async function collectFacts(
  deps: CollectDeps,
  records: EvidenceRecords,
  { reader, at }: { readonly reader: Reader; readonly at: Date },
): Promise<CollectedFacts> {
  const { dispute, charge, details } = records;
  const money = dispute.facts.money ?? charge?.money;
  if (money === undefined) return { kind: 'no_amount' };
  const analyticsRecords = chargeAnalytics(records);
  const opened = new Map<string, PersonalData | undefined>();
  const elementsOf = async (
    analyticsRecord: ChargeAnalytics | undefined,
  ): Promise<CheckoutElements> => {
    const analyticsId = analyticsRecord?.analyticsId;
    if (analyticsId === undefined) return { emailIsLogin: false, inherited: [] };
    if (!opened.has(analyticsId)) {
      const input = { merchantId: dispute.merchantId, analyticsId, reader, at };
      opened.set(analyticsId, await deps.analytics.readPersonalData(input));
    }
    return elements(
      opened.get(analyticsId),
      analyticsRecord?.isInherited === true,
      details.emailIsLogin,
    );
  };
  const disputed = disputedOf(records, money, {
    analyticsRecord: analyticsRecords.disputed,
    elements: await elementsOf(analyticsRecords.disputed),
  });
  // They were found by the card of the dispute: by its fingerprint, or by its method.
  const candidates: PriorTransaction[] = [];
  for (const prior of records.earlier) {
    const analyticsRecord = analyticsRecords.of(prior);
    const captured = { analyticsRecord, elements: await elementsOf(analyticsRecord) };
    candidates.push({ ...priorOf(records, prior, captured), credential: disputed.credential });
  }
  const { pspDisputeId: id, merchantId, disputeId, state, respondBy } = dispute;
  const { rebuttal, attachments } = await deps.added.open({ merchantId, disputeId, reader, at });
  return {
    kind: 'facts',
    facts: {
      dispute: { id, state, money, ...present({ respondBy }) },
      merchantName: records.merchantName,
      customer: present({ customerId: dispute.customerId ?? charge?.customerId }),
      disputed,
      candidates,
      timeline: makeTimeline(records, analyticsRecords.disputed),
      ...present({ rebuttal, attachments }),
      ...(details.providedAt !== undefined && { providedAt: new Date(details.providedAt) }),
    },
  };
}

function elements(
  data: PersonalData | undefined,
  isInherited: boolean,
  emailIsLogin = false,
): CheckoutElements {
  if (data === undefined) return { emailIsLogin: false, inherited: [] };
  return {
    ip: data.ipv4Address,
    email: data.customerEmail,
    emailIsLogin,
    inherited: isInherited ? ['ip', 'email'] : [],
  };
}

interface CheckoutAnalytics {
  readonly analyticsRecord: ChargeAnalytics | undefined;
  readonly elements: CheckoutElements;
}

function disputedOf(
  records: EvidenceRecords,
  money: Money,
  captured: CheckoutAnalytics,
): DisputedTransaction {
  const { dispute, charge, details } = records;
  const { facts, psp } = dispute;
  const id = charge?.id ?? facts.paymentIds[0] ?? dispute.pspDisputeId;
  const subscriptionId = disputedSubscription(records);
  const processedAt = charge?.processedAt ?? facts.chargedAt ?? facts.openedAt;
  const method = facts.paymentMethodId ?? charge?.paymentMethodId;
  const { product, subscriptionBegunAt } = charge ?? {};
  const known = { id, subscriptionId, subscriptionBegunAt, processedAt, product };
  return {
    ...statedOf(records, known),
    id,
    psp,
    credential: facts.cardFingerprint ?? charge?.credential ?? method ?? id,
    processedAt,
    money: charge?.money ?? money,
    initiatedBy: initiatorOf(records, { ...known, isRetry: charge?.isRetry === true }, captured),
    isOtherMandate: captured.analyticsRecord?.isOtherMandate === true,
    elements: captured.elements,
    reason: reasonOf(dispute),
    disputedAt: facts.openedAt,
    ...present({ merchandiseOrServices: details.merchandiseOrServices }),
  };
}

function priorOf(
  records: EvidenceRecords,
  charge: KnownCharge,
  captured: CheckoutAnalytics,
): Omit<PriorTransaction, 'credential'> {
  const { id, psp, processedAt, money, isDisputed, hasFraudReport } = charge;
  return {
    ...statedOf(records, charge),
    id,
    psp,
    processedAt,
    money,
    initiatedBy: initiatorOf(records, charge, captured),
    isOtherMandate: captured.analyticsRecord?.isOtherMandate === true,
    elements: captured.elements,
    isPaid: true,
    isDisputed,
    hasFraudReport,
    isValidation: money.amountMinor === 0,
  };
}

interface Named {
  readonly id: string;
  readonly subscriptionId?: string | undefined;
  readonly subscriptionBegunAt?: Date | undefined;
  readonly processedAt: Date;
  readonly product?: string | undefined;
}

/** What the merchant stated of a charge; the product of the report where they stated none. */
function statedOf(
  records: EvidenceRecords,
  { id, subscriptionId, product }: Named,
): Pick<EvidenceTransaction, 'arn' | 'descriptor' | 'productDescription'> {
  const { dispute, charge, details } = records;
  const stated = details.charges?.[id];
  const disputedId = charge?.id ?? dispute.facts.paymentIds[0];
  const isSold =
    id === disputedId ||
    (subscriptionId !== undefined && subscriptionId === disputedSubscription(records));
  return present({
    arn: stated?.arn,
    descriptor: stated?.descriptor ?? details.descriptor,
    productDescription:
      stated?.productDescription ??
      (isSold ? details.productDescription : undefined) ??
      (product === undefined ? undefined : `Subscription: ${product}`),
  });
}

/**
 * A retry and a renewal are the merchant's: of a charge with an analytics record of its own the
 * customer was there, and of the one that began a subscription.
 */
function initiatorOf(
  { renewals }: EvidenceRecords,
  charge: Named & { readonly isRetry: boolean },
  { analyticsRecord }: CheckoutAnalytics,
): 'customer' | 'merchant' {
  if (charge.isRetry) return 'merchant';
  if (analyticsRecord !== undefined && !analyticsRecord.isInherited) return 'customer';
  const { subscriptionId, subscriptionBegunAt, processedAt } = charge;
  if (subscriptionId === undefined) return 'customer';
  if (isAtStart({ processedAt, ...present({ subscriptionBegunAt }) }) === false) return 'merchant';
  const isRenewal = renewals.some(
    (one) => one.subscriptionId === subscriptionId && one.processedAt < processedAt,
  );
  const isAfterCheckout = analyticsRecord?.capturedAt !== undefined && analyticsRecord.isInherited;
  return isRenewal || isAfterCheckout ? 'merchant' : 'customer';
}

function reasonOf({ facts }: DisputeDetail): DisputeReason {
  return {
    network: facts.network ?? 'unknown',
    code: facts.reasonCode ?? facts.reason ?? 'unknown',
    family: facts.reasonFamily ?? 'unknown',
  };
}
