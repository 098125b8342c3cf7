import type {
  Analytics,
  AnalyticsState,
  IdField,
  PersonalData,
} from '../domain/analytics/analytics.ts';
import type { Psp } from '../domain/psps.ts';

/** An analytics record to be kept. */
export interface NewAnalytics {
  readonly merchantId: string;
  readonly analytics: Analytics;
  readonly hasPublicIp: boolean;
  readonly capturedAt: Date;
}

/** What may be told of an analytics record without opening it. */
export interface AnalyticsRecord {
  readonly analyticsId: string;
  readonly state: AnalyticsState;
  readonly psp: Psp;
  readonly capturedAt: Date;
  /** The ids that are there; none once it is erased. */
  readonly ids: readonly IdField[];
  readonly hasUserAgent: boolean;
  readonly hasPublicIp: boolean;
  /** A dispute needs it: neither the clock nor a request erases it. */
  readonly isHeld: boolean;
}

/** The proof that a customer's analytics records cannot be read any more. */
export interface Erasure {
  readonly customerId: string;
  readonly erasedAt: Date;
  /** Analytics records whose personal data was destroyed. */
  readonly records: number;
  /** SHA-256 in hexadecimal of what was destroyed, as the audit log holds it. */
  readonly proof: string;
}

export type ErasureOutcome =
  | { readonly kind: 'erased'; readonly erasure: Erasure }
  /** No analytics record ever named this customer. */
  | { readonly kind: 'unknown_customer' }
  /** Open disputes hold some of them, or what was added to their evidence: nothing was erased. */
  | { readonly kind: 'held'; readonly records: number };

/** Who reads clear text, and what for; both stand in the audit log. */
export interface Reader {
  readonly actor: string;
  readonly reason: string;
}

export interface AnalyticsStore {
  /** The analytics record's id, once it is durable. The same content of a merchant has one id. */
  append(analyticsRecord: NewAnalytics): Promise<string>;
  find(input: { merchantId: string; analyticsId: string }): Promise<AnalyticsRecord | undefined>;
  /** Destroys the customer's keys and indexes, with a line in the audit log. */
  eraseCustomer(input: {
    merchantId: string;
    customerId: string;
    at: Date;
  }): Promise<ErasureOutcome>;
  /** Opens the personal data, with a line in the audit log; undefined where there is none. */
  readPersonalData(input: {
    merchantId: string;
    analyticsId: string;
    reader: Reader;
    at: Date;
  }): Promise<PersonalData | undefined>;
}
