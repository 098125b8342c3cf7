import type { Decline } from '../domain/declines/decline.ts';
import type { DueItems } from '../domain/held-back.ts';
import type {
  CardAttempt,
  CardFacts,
  ChargedCard,
  CredentialForm,
} from '../domain/network-rules/card-attempt.ts';
import type { Blocked } from '../domain/network-rules/judge-charge.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { Psp } from '../domain/psps.ts';
import type {
  AttemptState,
  EventType,
  PaymentState,
  PspTransactionState,
  StopReason,
} from '../domain/states.ts';
import type { DecisionRecord, PlanMethod, TryFacts } from '../policy/plan.ts';
import type { LearnedContext } from './learned/ports.ts';

/** What is to be done with a payment when it falls due. */
export type DueAction = 'plan' | 'attempt' | 'expire';

/**
 * A payment as the engine works on it. `fence` and `revision` are what its row said when it was
 * read: a write that carries them matches only while nobody else took the lease and nothing came
 * from outside. They are two, since they lead to two ends: who lost the lease writes nothing more,
 * who missed a revision reads again and decides again.
 */
export interface PaymentContext {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly customerId: string;
  readonly pspCustomerId?: string;
  readonly pspInvoiceId?: string;
  /** Whether the PSP was asked for it: `none` is its answer that there is no such invoice. */
  readonly pspInvoiceState: 'unasked' | 'none' | 'known';
  /** The id that the merchant's server knows, where the recovery began under its PSP's. */
  readonly merchantInvoiceId?: string;
  readonly subscriptionId?: string;
  readonly transactionId: string;
  readonly originalPspTransactionId: string;
  readonly psp: Psp;
  readonly amountMinor: number;
  readonly currency: string;
  readonly custom?: JsonObject;
  readonly firstDecline: Decline;
  readonly state: PaymentState;
  /** Set on a payment that is `attempting`: it is to stop when the charge on its way has ended. */
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
  /** Since when an incident is open: nothing is charged and nothing is due until it is resolved. */
  readonly frozenAt?: Date;
  readonly failedAt: Date;
  readonly windowEndsAt: Date;
  readonly maxAttempts: number;
  readonly postponements: number;
  readonly decision?: DecisionRecord;
  readonly fence: number;
  readonly revision: number;
  /** Methods that are not removed: the merchant's order, then those added by updates. */
  readonly methods: readonly ContextMethod[];
  /** The customer's methods that are removed: none is charged, whoever names it. */
  readonly removedMethodIds: readonly string[];
  readonly tries: readonly TryFacts[];
  /**
   * A charge of it succeeded, though an attempt is under way: it is recovered when that has ended.
   */
  readonly isPaid?: boolean;
  /** Set where the merchant has the learned policy. */
  readonly learned?: LearnedContext;
}

/** A method with the card behind it, as the network's rules see it. */
export interface ContextMethod extends Omit<PlanMethod, 'blocked'> {
  readonly card?: CardHistory;
}

/** Every charge of a card that a rule may count, in any order; two methods may be one card. */
export interface CardHistory {
  readonly cardKey: string;
  /** As the PSP told it, where it did. */
  readonly fingerprint?: string;
  /** As the PSP told it; where it did not, `facts` has the form that is counted. */
  readonly credentialForm?: CredentialForm;
  readonly facts: CardFacts;
  readonly attempts: readonly CardAttempt[];
  /** How often something was told of the card when this was read, its charges by us apart. */
  readonly version?: number;
  /** The last turn that a charge of ours took on it by then; 0 before the first. */
  readonly turn?: number;
}

/** A payment taken under a lease, with the attempt that was opened or left open for it. */
export interface DuePayment {
  readonly payment: PaymentContext;
  readonly dueAction: DueAction;
  readonly dueAt: Date;
  readonly attempt?: OpenAttempt;
}

export interface OpenAttempt {
  readonly attemptId: string;
  readonly state: AttemptState;
  readonly startedAt: Date;
  readonly decision?: DecisionRecord;
  /** What was answered to the final check, where the attempt got that far. */
  readonly check?: JsonObject;
  /** Charges of this attempt so far, in order. */
  readonly transactions: readonly OpenTransaction[];
}

export interface OpenTransaction {
  readonly ordinal: number;
  readonly state: PspTransactionState;
  readonly idempotencyKey: string;
  readonly paymentMethodId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly pspTransactionId?: string;
  readonly networkTransactionId?: string;
  readonly decline?: Decline;
  readonly sentAt: Date;
  /** Which of the merchant's accounts at the PSP it was sent through. */
  readonly connectionVersion: number;
}

/** A charge about to be sent: committed under the lease before the PSP is called. */
export interface BeginCharge {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly fence: number;
  readonly attemptId: string;
  readonly ordinal: number;
  readonly psp: Psp;
  readonly idempotencyKey: string;
  readonly paymentMethodId: string;
  readonly amountMinor: number;
  readonly currency: string;
  /** What the merchant answered: no charge without it. */
  readonly check: JsonObject;
  /** When its attempt was begun: kept with the first charge until the attempt is written. */
  readonly startedAt: Date;
  readonly sentAt: Date;
  readonly connectionVersion: number;
  /** The card as it was read a moment ago: it is read again where it has changed since. Absent: it is read. */
  readonly card?: CardHistory;
}

/**
 * `stopped`: a stop was asked for, nothing may be sent. `lease_lost`: another holds the payment.
 * `blocked`: a rule of the card's network forbids this charge; `removed`: the customer removed the method
 * since the payment was taken. After either the attempt may go on with another method.
 */
export type BeginChargeOutcome =
  | {
      readonly kind: 'begun';
      /** When charges of the same key were sent before that were found never made. */
      readonly earlier?: { readonly firstSentAt: Date; readonly lastSentAt: Date };
      /** After a restored backup: the charge may have been made under this key. */
      readonly mayExist?: boolean;
    }
  | { readonly kind: 'stopped' | 'disputed' | 'removed' | 'lease_lost' }
  | Blocked;

/** Everything that one step changes, in one transaction. */
export interface Outcome {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly fence: number;
  readonly revision: number;
  readonly at: Date;
  readonly transaction?: TransactionOutcome;
  readonly attempt?: AttemptOutcome;
  readonly payment: PaymentOutcome;
  readonly events: readonly NewEvent[];
  /** The lease of the events' deliveries, where whoever records them sends them at once. */
  readonly sendLeaseUntil?: Date;
  /** Ends the lease of whoever holds the payment: for actions from outside. */
  readonly takeOver?: boolean;
}

export interface TransactionOutcome {
  readonly attemptId: string;
  readonly ordinal: number;
  readonly state: PspTransactionState;
  readonly pspTransactionId?: string;
  readonly networkTransactionId?: string;
  readonly decline?: Decline;
  readonly reason?: string;
  /** When the PSP's record is to be asked, for an unknown one. */
  readonly lookUpAt?: Date;
}

/** What became of an attempt, with all that its row says: it is written when its first charge has ended. */
export interface AttemptOutcome {
  readonly attemptId: string;
  readonly state: AttemptState;
  readonly startedAt: Date;
  /** What the merchant answered; absent: what the row has stays. */
  readonly check?: JsonObject;
  /** What it charged, in minor units; absent where nothing was. */
  readonly amountMinor?: number;
  readonly currency?: string;
}

export interface PaymentOutcome {
  readonly state: PaymentState;
  readonly stopReason?: StopReason;
  readonly stopDetail?: string;
  readonly attemptCount: number;
  readonly postponements: number;
  readonly decision?: DecisionRecord;
  readonly dueAction?: DueAction;
  readonly nextAttemptAt?: Date;
  /** Why it is due no more until the operator has it done again. */
  readonly setAside?: string;
  /** Set while the lease goes on: a step inside an attempt. */
  readonly leaseUntil?: Date;
}

export interface NewEvent {
  readonly eventId: string;
  readonly type: EventType;
  readonly attemptId?: string;
  /** Of an attempt whose result was told before: what it was told as is no longer the whole. */
  readonly isLate?: boolean;
  readonly body: string;
}

/** `changed`: nothing was written, something came from outside; read again and decide again. */
export type RecordOutcome = 'recorded' | 'changed' | 'lease_lost';

/** The engine's store. */
export interface PaymentStore {
  claimDue(input: ClaimInput): Promise<DueItems<DuePayment>>;
  /** The payment as it stands, whoever holds it. */
  load(input: { merchantId: string; invoiceId: string }): Promise<PaymentContext | undefined>;
  /** Whether the lease goes on until `leaseUntil`: not where another holds the payment. */
  renewLease(input: {
    readonly merchantId: string;
    readonly invoiceId: string;
    readonly fence: number;
    readonly leaseUntil: Date;
  }): Promise<boolean>;
  beginCharge(input: BeginCharge): Promise<BeginChargeOutcome>;
  findOtherNames(input: { merchantId: string; invoiceId: string }): Promise<OtherNames>;
  record(outcome: Outcome): Promise<RecordOutcome>;
  /** Notes what a charge told of its card: from then on it counts with the card's other methods. */
  learnCard(input: LearnCard): Promise<void>;
  /**
   * Marks a payment that is `attempting` as to be stopped: no further charge is begun from the
   * commit on. Undefined where it is not attempting.
   */
  requestStop(input: StopRequest): Promise<{ readonly chargeInFlight: boolean } | undefined>;
}

/** The invoice ids by which a debt does not go, and the keys and PSP's ids of its charges that have ended. */
export interface OtherNames {
  readonly invoiceIds: readonly string[];
  readonly recorded: ReadonlySet<string>;
}

export interface LearnCard {
  readonly merchantId: string;
  readonly customerId: string;
  readonly psp: Psp;
  readonly paymentMethodId: string;
  readonly card: ChargedCard;
  /** The key of the charge that told it: it is of this card, whatever its method stood for before. */
  readonly idempotencyKey: string;
  /** When the charge was sent. */
  readonly at: Date;
  readonly now: Date;
}

export interface StopRequest {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly reason: StopReason;
  readonly detail?: string;
  readonly at: Date;
}

export interface ClaimInput {
  readonly now: Date;
  readonly leaseUntil: Date;
  readonly limit: number;
  readonly perMerchant: number;
  /** Merchants whose share of this process is used up. */
  readonly busy: readonly string[];
}

/** A charge whose answer was lost, taken under a lease. */
export interface UnknownCharge {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly psp: Psp;
  readonly fence: number;
  readonly dueAt: Date;
  readonly lookUps: number;
  readonly attempt: OpenAttempt;
  readonly transaction: OpenTransaction;
}

export interface UnknownChargeStore {
  claimDue(input: ClaimInput): Promise<DueItems<UnknownCharge>>;
  /** Sets when to ask again, or never (undefined): then a person has to resolve it. */
  postpone(input: {
    merchantId: string;
    attemptId: string;
    ordinal: number;
    fence: number;
    nextAt?: Date;
    reason: string;
  }): Promise<void>;
}

/** The fence of a delivery that is written under a lease, of one that was never taken before. */
export const firstDeliveryFence = 1;

/** An event on its way, taken under a lease. */
export interface DueDelivery {
  readonly merchantId: string;
  readonly eventId: string;
  /** Absent: the merchant's own webhook address. */
  readonly endpointId?: string;
  readonly type: string;
  readonly body: string;
  readonly fence: number;
  readonly tries: number;
  readonly windowStartedAt?: Date;
  readonly dueAt: Date;
}

export interface DeliveryOutcome {
  readonly merchantId: string;
  readonly eventId: string;
  readonly endpointId?: string;
  readonly fence: number;
  readonly number: number;
  readonly sentAt: Date;
  readonly endedAt: Date;
  readonly durationMs: number;
  readonly state: 'pending' | 'delivered' | 'exhausted';
  readonly windowStartedAt: Date;
  readonly nextAt?: Date;
  readonly status?: number;
  readonly error?: string;
  /** The beginning of an answer that did not acknowledge. */
  readonly answer?: string;
}

export interface DeliveryStore {
  claimDue(input: ClaimInput): Promise<DueItems<DueDelivery>>;
  record(outcome: DeliveryOutcome): Promise<void>;
}
