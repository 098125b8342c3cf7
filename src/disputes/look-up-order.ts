import type { PersonalData } from '../domain/analytics/analytics.ts';
import { addMs, type Clock, dayMs } from '../domain/clock.ts';
import type { Money } from '../domain/money.ts';
import { analyticsFinder, type ChargeAnalytics } from './evidence/charge-analytics.ts';
import type { EvidenceRecords, KnownCharge } from './evidence/evidence-ports.ts';
import { isAtStart } from './evidence/is-at-start.ts';
import type { AnalyticsStore, Reader } from './ports.ts';

export interface OrderStore {
  /** Charges of an amount in a time, on cards that begin with these digits; a bounded number. */
  findCharges(input: {
    readonly merchantId: string;
    readonly cardBin: string;
    readonly money: Money;
    readonly from: Date;
    readonly until: Date;
  }): Promise<readonly KnownCharge[]>;
  findAnalyticsRecords(input: {
    readonly merchantId: string;
    readonly charge: KnownCharge;
  }): Promise<Pick<EvidenceRecords, 'analyticsRecords' | 'renewals'>>;
}

export interface LookUpOrderDeps {
  readonly orders: OrderStore;
  readonly analytics: Pick<AnalyticsStore, 'readPersonalData'>;
  readonly clock: Clock;
}

/** What a cardholder's bank tells of a charge that they do not recognise. */
export interface LookUpOrder {
  readonly merchantId: string;
  /** The first six to eight digits. */
  readonly cardBin: string;
  readonly money: Money;
  /** The day of the charge; banks' days are those of other zones. */
  readonly chargedOn: Date;
  readonly reader: Reader;
}

export interface Order {
  readonly charge: KnownCharge;
  /** An earlier charge of its subscription is known. */
  readonly isRenewal: boolean;
  readonly checkout?: ChargeAnalytics & { readonly data: PersonalData };
}

export type FoundOrder =
  | { readonly kind: 'found'; readonly order: Order }
  | { readonly kind: 'none' }
  /** Several fit, and none is told of: it may be another customer's. */
  | { readonly kind: 'ambiguous'; readonly count: number };

/**
 * The order behind a charge, as networks' order look-ups ask for it before a dispute is filed.
 * Recoup holds no last four digits and no descriptors, so that amount, day and first digits have to
 * name one charge alone. Its analytics record is opened with a line in the audit log.
 */
export async function lookUpOrder(
  deps: LookUpOrderDeps,
  { merchantId, cardBin, money, chargedOn, reader }: LookUpOrder,
): Promise<FoundOrder> {
  const charges = await deps.orders.findCharges({
    merchantId,
    cardBin,
    money,
    from: addMs(chargedOn, -dayMs),
    until: addMs(chargedOn, 2 * dayMs),
  });
  const [charge] = charges;
  if (charge === undefined) return { kind: 'none' };
  if (charges.length > 1) return { kind: 'ambiguous', count: charges.length };
  const known = await deps.orders.findAnalyticsRecords({ merchantId, charge });
  const isRenewal =
    isAtStart(charge) === false ||
    known.renewals.some(({ processedAt }) => processedAt < charge.processedAt);
  const analyticsRecord = analyticsFinder(known)(charge);
  if (analyticsRecord === undefined) return { kind: 'found', order: { charge, isRenewal } };
  const { analyticsId } = analyticsRecord;
  const at = deps.clock.now();
  const data = await deps.analytics.readPersonalData({ merchantId, analyticsId, reader, at });
  const checkout = data && { ...analyticsRecord, data };
  return { kind: 'found', order: { charge, isRenewal, ...(checkout && { checkout }) } };
}
