import type { DebtReport, ReportChannel } from '../domain/debts/debt-names.ts';
import type { JoinedReport } from '../domain/debts/join-reports.ts';
import type { Decline } from '../domain/declines/decline.ts';
import type { DueItems } from '../domain/held-back.ts';
import type { JsonObject } from '../domain/payment.ts';
import type {
  PaymentEventBody,
  PaymentMethodUpdateBody,
  UpdateReason,
} from '../domain/payment-event.ts';
import type { Psp } from '../domain/psps.ts';
import type { SubscriptionCard } from './card-notices/subscription-card.ts';
import type { ClaimInput } from './engine-ports.ts';

export type RequestKind = 'payment' | 'payment_method_update';

/** One request to commit; `failure` is set where it is a failed event. */
export interface NewRequest {
  readonly merchantId: string;
  readonly uuid: string;
  readonly kind: RequestKind;
  readonly body: PaymentEventBody | PaymentMethodUpdateBody;
  readonly receivedAt: Date;
  /** The merchant where it is absent. */
  readonly channel?: ReportChannel;
  /** The PSP's own invoice, where its webhook named it. */
  readonly pspInvoiceId?: string;
  readonly failure?: NewFailure;
}

/** A failed event: by which names its debt is known, and the recovery that it begins if it is new. */
export interface NewFailure {
  readonly report: DebtReport;
  readonly payment: NewPayment;
  readonly receivedAt: Date;
}

export interface NewPayment {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
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
  readonly channel: ReportChannel;
  readonly pspInvoiceId?: string;
}

/** What a batch of requests adds to the record, before payments are moved. */
export interface ReportedChanges {
  readonly transactions: readonly NewTransaction[];
  readonly methods: readonly SeenMethod[];
  /** The cards that subscriptions were billed to. */
  readonly cards: readonly SubscriptionCard[];
  readonly updates: readonly MethodUpdate[];
  /** Debts that a failed event is of. */
  readonly failed: readonly InvoiceKey[];
  /** Debts that a successful event is of; the event's own invoice where it is of none. */
  readonly paid: readonly ToldOf[];
  /** Debts with the ids of the invoice that these events reported. */
  readonly reportedAs: readonly (InvoiceKey & { readonly reportedAs: string })[];
  readonly learned: readonly LearnedNames[];
  readonly at: Date;
}

/** What a failed event tells of a debt that may have begun with another one. */
export interface LearnedNames extends InvoiceKey {
  readonly psp: Psp;
  readonly paymentMethodIds: readonly string[];
  readonly pspInvoiceId?: string;
  readonly pspCustomerId?: string;
  /** Set where it is the merchant's own report: these are the names that its server knows. */
  readonly merchant?: {
    readonly invoiceId: string;
    readonly customerId: string;
    readonly subscriptionId: string;
    readonly transactionId: string;
    readonly originalPspTransactionId: string;
    readonly custom?: JsonObject;
  };
}

export interface InvoiceKey {
  readonly merchantId: string;
  readonly invoiceId: string;
}

/** A debt of which an event told; `standsAt`: the one in whose history the event is, where that is another one. */
export interface ToldOf extends InvoiceKey {
  readonly standsAt?: string;
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
  /** Of the card that was charged, which its method may not stand for any more. */
  readonly cardFingerprint?: string;
  /** The issuer's response code, where the report has one. */
  readonly networkCode?: string;
  /** Of a decline whose PSP's own words forbid the card for good. */
  readonly adviceCode?: string;
  readonly occurredAt: Date;
  /** When the report of it was ingested. */
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
  readonly channel: ReportChannel;
}

/** What became of the changes. */
export interface Added {
  /** Failed invoices whose recovery begins now. */
  readonly started: readonly InvoiceKey[];
  /** Payments still open although their debt has ended, each with why. */
  readonly ended: readonly EndedDebt[];
  /** Charges of others during the recovery of their invoice, that were not known before. */
  readonly foreign: readonly ForeignAttempt[];
  /** Open payments of customers whose methods changed; they are planned anew. */
  readonly replanned: readonly (InvoiceKey & { readonly paymentMethodId: string })[];
}

/** Why nothing is to be charged of a debt any more; `disputed`: its card is, or its bank warned of fraud. */
export interface EndedDebt extends InvoiceKey {
  readonly reason: 'recovered_elsewhere' | 'invoice_closed' | 'disputed';
  readonly detail?: string;
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
  claimDue(input: ClaimInput): Promise<DueItems<DueRequest>>;
  /** Which debt each report is of, in their order. */
  findDebts(reports: readonly DebtReport[]): Promise<readonly JoinedReport[]>;
  /** Makes one recovery of several of one debt. */
  mergeDebts(input: {
    readonly merchantId: string;
    readonly invoiceIds: readonly string[];
    readonly at: Date;
  }): Promise<void>;
  add(changes: ReportedChanges): Promise<Added>;
  finish(applied: readonly AppliedRequest[], at: Date): Promise<void>;
}
