import type { Decline } from '../domain/declines/decline.ts';
import type { JsonObject } from '../domain/payment.ts';
import type {
  PaymentEventBody,
  PaymentMethodUpdateBody,
  UpdateReason,
} from '../domain/payment-event.ts';
import type { Psp } from '../domain/psps.ts';
import type { ClaimInput } from './engine-ports.ts';

export type RequestKind = 'payment' | 'payment_method_update';

/** One request to commit; `payment` is the recovery that a failed event begins. */
export interface NewRequest {
  readonly merchantId: string;
  readonly uuid: string;
  readonly kind: RequestKind;
  readonly body: PaymentEventBody | PaymentMethodUpdateBody;
  readonly receivedAt: Date;
  readonly payment?: NewPayment;
}

export interface NewPayment {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
  /** Set where the invoice is the PSP's own: paying it there marks it paid there. */
  readonly pspInvoiceId?: string;
  readonly subscriptionId: string;
  readonly transactionId: string;
  readonly originalPspTransactionId: string;
  readonly psp: Psp;
  readonly amountMinor: number;
  readonly currency: string;
  readonly custom?: JsonObject;
  readonly paymentMethodIds: readonly string[];
  readonly firstDecline: Decline;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  readonly maxAttempts: number;
}

/** A logged request taken under a lease, to be applied. */
export interface DueRequest {
  readonly merchantId: string;
  readonly sequence: bigint;
  readonly kind: RequestKind;
  readonly body: PaymentEventBody | PaymentMethodUpdateBody;
  readonly receivedAt: Date;
}

/** What a batch of requests adds to the record, before payments are moved. */
export interface Additions {
  readonly transactions: readonly NewTransaction[];
  readonly methods: readonly SeenMethod[];
  readonly updates: readonly MethodUpdate[];
  /** Invoices that a failed event named. */
  readonly failed: readonly InvoiceKey[];
  /** Invoices that a successful event named. */
  readonly paid: readonly InvoiceKey[];
  readonly at: Date;
}

export interface InvoiceKey {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export interface NewTransaction extends InvoiceKey {
  readonly transactionId: string;
  readonly pspTransactionId: string;
  readonly psp: Psp;
  readonly customerId: string;
  readonly subscriptionId: string;
  readonly paymentMethodId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly success: boolean;
  readonly networkTransactionId?: string;
  /** The issuer's response code, where the report has one. */
  readonly networkCode?: string;
  readonly occurredAt: Date;
  /** When the report of it was taken in. */
  readonly receivedAt: Date;
  readonly detail: Readonly<Record<string, unknown>>;
}

/** A payment method as an event named it. */
export interface SeenMethod {
  readonly merchantId: string;
  readonly paymentMethodId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
  readonly psp: Psp;
  readonly scheme: string;
  readonly fundingSource: string;
  readonly bin?: string;
  readonly issuerCountry?: string;
  readonly acquirerCountry: string;
  readonly cardFingerprint?: string;
  /** When the transaction was made that named it. */
  readonly seenAt: Date;
}

/** A reported change; without a reason it counts as an update. */
export interface MethodUpdate {
  readonly merchantId: string;
  readonly paymentMethodId: string;
  readonly customerId?: string;
  readonly pspCustomerId?: string;
  readonly reason: UpdateReason;
  /** Its number in the request log: of several updates of a method, the last accepted counts. */
  readonly sequence: bigint;
}

/** What became of the additions. */
export interface Added {
  /** Failed invoices whose recovery begins now. */
  readonly started: readonly InvoiceKey[];
  /** Payments still open although their invoice is paid. */
  readonly paidElsewhere: readonly InvoiceKey[];
  /** Payments still open although nothing is owed of their invoice; `detail` says why. */
  readonly closed: readonly (InvoiceKey & { readonly detail: string })[];
  /** Payments still open although their card is in an open dispute, or its bank warned of fraud. */
  readonly disputed: readonly InvoiceKey[];
  /** Charges of others during the recovery of their invoice, that were not known before. */
  readonly foreign: readonly ForeignAttempt[];
  /** Open payments of customers whose methods changed; they are planned anew. */
  readonly replanned: readonly (InvoiceKey & { readonly paymentMethodId: string })[];
}

export interface ForeignAttempt extends InvoiceKey {
  /** Whether the operator is to be told: the first failed one of its invoice. */
  readonly warns: boolean;
}

export interface AppliedRequest {
  readonly merchantId: string;
  readonly sequence: bigint;
  readonly outcome: JsonObject;
}

export interface RequestLog {
  /** Commits; resolves with the log's sequence number when the row is durable. */
  append(request: NewRequest): Promise<bigint>;
  claimDue(input: ClaimInput): Promise<readonly DueRequest[]>;
  add(additions: Additions): Promise<Added>;
  finish(applied: readonly AppliedRequest[], at: Date): Promise<void>;
}
