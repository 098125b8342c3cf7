import type { CustomerContact } from '../domain/customers/customer-contact.ts';
import type { Decline } from '../domain/declines/decline.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../domain/payment-event.ts';
import type { RequestId } from '../domain/request-id.ts';
import type {
  AttemptState,
  DeliveryState,
  Hold,
  PaymentState,
  PspTransactionState,
  RequestState,
  StopReason,
  Wait,
} from '../domain/states.ts';
import type {
  LinkAnswer,
  OfLink,
  OutcomeAnswer,
  OutcomeOfLink,
} from './customers/customer-links.ts';
import type { NotedBounce } from './messages/stop-messages.ts';
import type { IssuedPortalLink, NewPortalLink } from './people/portal-api.ts';

/** What the APIs may ask of the engine. Each promise resolves when the answer is durable. */
export interface RecoveryApi {
  /** Commits the event to the request log; a failed one makes its invoice's payment visible. */
  acceptPayment(input: Accept<PaymentEventBody>): Promise<RequestId>;
  acceptPaymentMethodUpdate(input: Accept<PaymentMethodUpdateBody>): Promise<RequestId>;
  findRequest(input: {
    merchantId: string;
    requestId: RequestId;
  }): Promise<RequestView | undefined>;
  showPayment(input: InvoiceOf): Promise<PaymentView | undefined>;
  listPayments(input: ListPayments): Promise<Page<PaymentSummary>>;
  retryPayment(input: InvoiceOf & { retryAt?: Date }): Promise<RetryOutcome>;
  stopPayment(input: InvoiceOf & { reason: string }): Promise<StopOutcome>;
  listEvents(input: ListEvents): Promise<Page<EventView>>;
  redeliverEvent(input: { merchantId: string; eventId: string }): Promise<RedeliverOutcome>;
  /** A day's statement with its hash; undefined where there is none. */
  findStatement(input: { merchantId: string; day: string }): Promise<JsonObject | undefined>;
  listStatements(input: ListStatements): Promise<Page<JsonObject>>;
  showCustomerLink(input: OfLink): Promise<LinkAnswer>;
  noteCustomerVisit(input: OfLink & { readonly uuid: string }): Promise<LinkAnswer>;
  noteCustomerOutcome(input: OutcomeOfLink): Promise<OutcomeAnswer>;
  /**
   * A link to the merchant's portal that ends with the key. Undefined: there is no such merchant.
   *
   * @throws AppError conflict for one link too many
   */
  createPortalLink(input: NewPortalLink & ByKey): Promise<IssuedPortalLink | undefined>;
  /** Ends every link of the merchant; how many there were. Undefined: there is no such merchant. */
  revokePortalLinks(input: ByKey): Promise<number | undefined>;
  /** That a message to a customer came back; false where no such message was sent. */
  noteBounce(input: NotedBounce): Promise<boolean>;
}

/** Whose key asks, and from where: what the audit log says of it. */
export interface ByKey {
  readonly merchantId: string;
  readonly credentialId: string;
  readonly address: string;
}

export interface InvoiceOf {
  readonly merchantId: string;
  readonly invoiceId: string;
}

export interface Accept<Body> {
  readonly merchantId: string;
  readonly body: Body;
  /**
   * The receipt's UUID. The same one again (from an Idempotency-Key) commits nothing new and
   * answers the first receipt, also after a crash between the commit and the answer.
   */
  readonly uuid: string;
}

export interface Page<Item> {
  readonly items: readonly Item[];
  /** Opaque; given back to read on. Absent on the last page. */
  readonly nextCursor?: string;
}

export interface ListPayments {
  readonly merchantId: string;
  readonly status?: PaymentState;
  readonly waitingFor?: Wait;
  readonly customerId?: string;
  readonly createdFrom?: Date;
  readonly createdTo?: Date;
  readonly cursor?: string;
  readonly limit: number;
}

export interface ListEvents {
  readonly merchantId: string;
  readonly cursor?: string;
  readonly limit: number;
}

export interface ListStatements {
  readonly merchantId: string;
  /** The day of the last statement that was read. */
  readonly cursor?: string;
  readonly limit: number;
}

export interface RequestView {
  readonly requestId: RequestId;
  readonly kind: 'payment' | 'payment_method_update';
  readonly status: RequestState;
  readonly receivedAt: Date;
  readonly appliedAt?: Date;
  /** What it did, in words and ids, such as `{"invoice_id":"in_1","result":"recovery_started"}`. */
  readonly outcome?: JsonObject;
}

export interface PaymentSummary {
  readonly invoiceId: string;
  readonly customerId: string;
  readonly status: PaymentState;
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  readonly nextAttemptAt?: Date;
  /** Of one that is `scheduled`. */
  readonly waitingFor?: Wait;
  /** Present where nothing is tried until a person decides. */
  readonly heldBy?: Hold;
  readonly attemptCount: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** Get Payment Information: the payment and everything that touched it. */
export interface PaymentView extends PaymentSummary {
  /** Under which the merchant is asked and told, where its PSP reported the debt first. */
  readonly merchantInvoiceId?: string;
  /** The invoice at the PSP that the debt is paid by. */
  readonly pspInvoiceId?: string;
  /** Other ids under which the same debt was reported; each of them names this payment; absent where none. */
  readonly joinedInvoiceIds?: readonly string[];
  readonly subscriptionId?: string;
  readonly transactionId: string;
  readonly originalPspTransactionId: string;
  readonly psp: string;
  readonly custom?: JsonObject;
  /** The decision that stands, in the API's own field names. */
  readonly decision?: JsonObject;
  readonly attempts: readonly AttemptView[];
  /** Charges of the invoice by others since its recovery began; absent where there were none. */
  readonly foreignAttempts?: { readonly count: number; readonly lastAt: Date };
  readonly deliveries: readonly DeliveryView[];
  /** What the customer was told and did; absent where nothing is known. */
  readonly customerContacts?: readonly CustomerContact[];
}

export interface AttemptView {
  readonly attemptId: string;
  readonly number: number;
  readonly status: AttemptState;
  readonly startedAt: Date;
  readonly endedAt?: Date;
  readonly amountMinor?: number;
  readonly currency?: string;
  /** The decision that set this attempt's time and methods. */
  readonly decision?: JsonObject;
  /** What the merchant's final check said; never a token's card code. */
  readonly check?: JsonObject;
  readonly transactions: readonly TransactionView[];
  /** Charges that a network's rule refused, each with the rule, its source, and until when. */
  readonly blockedCharges?: readonly JsonObject[];
}

export interface TransactionView {
  readonly ordinal: number;
  readonly status: PspTransactionState;
  readonly paymentMethodId: string;
  readonly pspTransactionId?: string;
  readonly networkTransactionId?: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly decline?: Decline;
  /** Why it was not made, or is unknown, in a sentence. */
  readonly reason?: string;
  readonly sentAt: Date;
  readonly settledAt?: Date;
}

export interface DeliveryView {
  readonly eventId: string;
  readonly type: string;
  readonly status: DeliveryState;
  readonly tries: number;
  readonly nextAttemptAt?: Date;
  readonly deliveredAt?: Date;
  readonly lastStatus?: number;
  readonly lastError?: string;
}

export interface EventView {
  readonly eventId: string;
  readonly sequence: bigint;
  readonly type: string;
  /** Absent for a card that is about to expire, which concerns no invoice. */
  readonly invoiceId?: string;
  readonly createdAt: Date;
  /** The webhook's body, as it is sent. */
  readonly body: JsonObject;
  readonly delivery: DeliveryView;
}

/** `refused` names the gate that bound, in words for the user. */
export type RetryOutcome =
  | { readonly kind: 'scheduled'; readonly nextAttemptAt: Date }
  | { readonly kind: 'refused'; readonly because: string }
  | { readonly kind: 'not_found' };

/**
 * `stopped`: nothing is sent after this. `already`: it had ended in that state before.
 * `in_flight`: a charge was on its way and did not end in time; the stop is kept and holds after it.
 */
export type StopOutcome =
  | { readonly kind: 'stopped' }
  | { readonly kind: 'already'; readonly status: PaymentState }
  | { readonly kind: 'in_flight' }
  | { readonly kind: 'not_found' };

export type RedeliverOutcome = { readonly kind: 'queued' } | { readonly kind: 'not_found' };
