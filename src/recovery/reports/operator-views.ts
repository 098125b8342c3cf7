import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { Psp } from '../../domain/psps.ts';
import type { DeliveryState, HoldFilter, PaymentState, Wait } from '../../domain/states.ts';
import type { DeliveryView } from '../api.ts';

/** Of charges at `from` or later and before `to`; an end that is left out is open. */
export interface FeesQuery {
  readonly merchantId: string;
  readonly from?: Date;
  readonly to?: Date;
}

/** Fees of one rule in one currency, in micros of its major unit: some are tenths of a cent. */
export interface FeeTotal {
  readonly network: string;
  readonly rule: string;
  readonly currency: string;
  /** Of charges that were made, ours and those that merchants reported. */
  readonly expectedMicros: number;
  readonly expectedCount: number;
  /** For charges that the rule prevented. */
  readonly avoidedMicros: number;
  readonly avoidedCount: number;
}

export interface ListCardsNearLimit extends OfMerchants {
  /** The end of the 30 days. */
  readonly at: Date;
  readonly cursor?: string;
  readonly limit: number;
}

/** A card and how much of a network's limit over 30 days it has used. */
export interface CardNearLimit {
  readonly merchantId: string;
  /** Its fingerprint, or the id of its method; never a number. */
  readonly card: string;
  readonly acceptor: string;
  readonly network: string;
  /** What is counted apart from the card's other charges. */
  readonly counter?: string;
  readonly tries: number;
  readonly most: number;
  readonly firstAt: Date;
  readonly lastAt: Date;
  /** Of the last try. */
  readonly paymentMethodId: string;
  readonly invoiceId: string;
}

export interface ListUnknownCharges extends OfMerchants {
  readonly cursor?: string;
  readonly limit: number;
}

/** All that is known of a charge that may have been made. */
export interface UnknownChargeView {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly attemptId: string;
  readonly psp: Psp;
  /** What the PSP was sent to know it by: a person finds it there under this. */
  readonly idempotencyKey: string;
  readonly paymentMethodId: string;
  readonly pspCustomerId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly sentAt: Date;
  readonly lookUps: number;
  /** What the last look-up said. */
  readonly reason?: string;
  /** Absent: the PSP is asked no more, and a person has to settle it. */
  readonly nextLookUpAt?: Date;
}

export interface ListDeliveries {
  readonly merchantId: string;
  readonly status?: DeliveryState;
  readonly invoiceId?: string;
  /** A further endpoint; absent: the merchant's own webhook address. */
  readonly endpointId?: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface OperatorDelivery extends DeliveryView {
  readonly endpointId?: string;
  /** Absent for a card that is about to expire, which concerns no invoice. */
  readonly invoiceId?: string;
  readonly sequence: bigint;
  readonly createdAt: Date;
  readonly log: readonly DeliveryTry[];
}

export interface DeliveryTry {
  readonly number: number;
  readonly sentAt: Date;
  readonly status?: number;
  readonly error?: string;
  /** The beginning of an answer that did not acknowledge, without card numbers and credentials. */
  readonly answer?: string;
  readonly durationMs: number;
}

export interface ListPspEvents {
  readonly merchantId: string;
  readonly psp?: Psp;
  readonly cursor?: string;
  readonly limit: number;
}

export interface OperatorListPayments extends OfMerchants {
  readonly status?: PaymentState;
  readonly waitingFor?: Wait;
  readonly heldBy?: HoldFilter;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
  /** Finds the payments with this id in any of their id fields. */
  readonly search?: string;
  readonly cursor?: string;
  readonly limit: number;
}
