import type { CardCode } from '../domain/card-code.ts';
import type { Decline } from '../domain/declines/decline.ts';
import type { DisputeAnswer, DisputeQuestion } from '../domain/disputes/dispute-look-up.ts';
import type { ReportedDispute } from '../domain/disputes/reported-dispute.ts';
import type { ChargedCard } from '../domain/network-rules/card-attempt.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../domain/payment-event.ts';
import type { AccountMode, Psp } from '../domain/psps.ts';

/** One charge of a stored method, off session. Same idempotency key, same parameters, always. */
export interface ChargeRequest {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethodId: string;
  readonly pspCustomerId?: string;
  /** Set where the invoice is the PSP's own: paying it there marks it paid there. */
  readonly pspInvoiceId?: string;
  /** The failed charge that the recovery began with. */
  readonly originalPspTransactionId?: string;
  /**
   * The engine's time after which no byte of it may be written to a socket: nobody looks for it any
   * more then. The engine always gives it.
   */
  readonly sendBy?: Date;
  readonly networkTransactionId?: string;
  readonly token?: ChargeToken;
  readonly billingAddress?: JsonObject;
  /** The merchant's metadata for the PSP. */
  readonly metadata?: JsonObject;
}

/** A token of the merchant's vault; the card code lives in memory only. */
export interface ChargeToken {
  readonly id?: string;
  readonly expirationMonth?: string;
  readonly expirationYear?: string;
  readonly cardCode?: CardCode;
}

/**
 * What the PSP itself says of a charge, beside its outcome. Where it differs from what was sent,
 * the charge resolves nothing: an incident is opened.
 */
export interface ToldCharge {
  readonly amountMinor?: number;
  readonly currency?: string;
  /** False for a charge of a test mode. */
  readonly isLive?: boolean;
}

/**
 * What a PSP said. `unknown` is a charge that may or may not have been made (lost answer, time-out,
 * 5xx); `not_made` is certain never to have been made (refused connection, refused credentials).
 * `paid_elsewhere`: nothing was charged, since another charge, not ours, has paid the debt.
 */
export type ChargeResult =
  | {
      readonly kind: 'succeeded';
      readonly pspTransactionId: string;
      readonly networkTransactionId?: string;
      readonly card?: ChargedCard;
      readonly told?: ToldCharge;
    }
  | {
      readonly kind: 'declined';
      readonly pspTransactionId?: string;
      readonly networkTransactionId?: string;
      readonly card?: ChargedCard;
      readonly told?: ToldCharge;
      readonly decline: Decline;
    }
  | { readonly kind: 'paid_elsewhere'; readonly pspTransactionId?: string; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string }
  | {
      readonly kind: 'not_made';
      readonly reason: string;
      readonly retryAfterMs?: number;
      /**
       * The PSP read the request and refused it, as it does where it has no such stored method: what it says of
       * another method may differ. Not set where it was not reached, or refused whoever asked.
       */
      readonly isRequestRefused?: boolean;
    };

/** A charge to find again at the PSP, by the key it was sent with. */
export interface LookUpRequest {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly idempotencyKey: string;
  readonly sentAt: Date;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethodId: string;
  readonly pspCustomerId?: string;
  readonly pspInvoiceId?: string;
}

/** `not_found`: the PSP's record is complete and does not hold it; it was never made. */
export type LookUpResult =
  | Exclude<ChargeResult, { kind: 'not_made' }>
  | { readonly kind: 'not_found' };

/**
 * Which invoice at the PSP a charge was for, where the PSP keeps invoices. `not_known`: the account has
 * no such charge, so it can tell nothing of its invoice.
 */
export type FoundInvoice =
  | { readonly kind: 'found'; readonly pspInvoiceId: string }
  | { readonly kind: 'none' }
  | { readonly kind: 'not_known' }
  | { readonly kind: 'unknown'; readonly reason: string };

/** Money to give back; amounts in minor units. The same key, the same refund. */
export interface RefundRequest {
  /** When it was asked for the first time, where this is not that time. */
  readonly askedAt?: Date;
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly pspTransactionId: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly idempotencyKey: string;
}

/** `pending` is on its way and certain; `refused` was not made; `unknown` may be asked again. */
export type RefundResult =
  | { readonly kind: 'refunded'; readonly refundId: string }
  | { readonly kind: 'pending'; readonly refundId: string }
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unknown'; readonly reason: string };

/** A charge as the PSP's own record has it; times are the PSP's, amounts in minor units. */
export interface ListedCharge {
  readonly pspTransactionId: string;
  readonly idempotencyKey?: string;
  readonly pspInvoiceId?: string;
  /** Whose it is, where the list does not name invoices and the PSP can be asked for one. */
  readonly pspCustomerId?: string;
  readonly state: 'succeeded' | 'declined' | 'pending';
  readonly amountMinor: number;
  readonly currency: string;
  readonly createdAt: Date;
  readonly isLive?: boolean;
  readonly refundedMinor?: number;
  /** Another id that the PSP's answers may name this same charge by. */
  readonly alsoNamed?: string;
}

/** One page of charges that the PSP made from `from` on and before `to`. */
export interface ListChargesRequest {
  /** Whose list it is, where one account holds the charges of several merchants apart. */
  readonly merchantId: string;
  readonly from: Date;
  readonly to: Date;
  readonly cursor?: string;
}

export type ListedCharges =
  | {
      readonly kind: 'page';
      readonly charges: readonly ListedCharge[];
      readonly nextCursor?: string;
    }
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'unavailable'; readonly reason: string };

/** The charges of a report, and the times of its first and last row: it tells of no other time. */
export interface ReportCharges {
  readonly charges: readonly ListedCharge[];
  readonly from: Date;
  readonly to: Date;
}

/** A settlement or transaction report, as the PSP exports it in CSV. */
export type ReportReading =
  | ({ readonly kind: 'read' } & ReportCharges)
  | { readonly kind: 'unsupported' }
  | { readonly kind: 'malformed'; readonly line: number; readonly reason: string };

/**
 * Whether the credentials open an account; `account` is its name or id at the PSP, `accountId` what
 * stays the same when keys or names change.
 */
export type CredentialsCheck =
  | {
      readonly kind: 'accepted';
      readonly account?: string;
      readonly accountId?: string;
      readonly warnings?: readonly string[];
    }
  /** `reason` says what to change, in a sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** What a processor can do, for those who plan, resolve and document; one list per folder. */
export interface PspCapabilities {
  readonly psp: Psp;
  /**
   * How long the processor remembers an idempotency key. A charge sent again after that is a new
   * charge, so an unknown outcome must be resolved before.
   */
  readonly keyMemoryMs: number | 'forever';
  /**
   * How a charge whose answer was lost is found again. `by_record`: `lookUp` reads the processor's
   * own record. `same_key`: the processor has no such record to ask, and answers the same key with
   * what became of it; where it never arrived that charges, so it takes a fresh yes.
   */
  readonly lookUp: 'by_record' | 'same_key';
  /** How long after a charge the record that `lookUp` reads may not hold it yet. */
  readonly recordLagMs: number;
  /** Whether it takes a token with expiry and card verification number. */
  readonly tokens: boolean;
  readonly metadata: boolean;
  /** Whether it takes the network transaction id of the card's first success. */
  readonly networkTransactionId: boolean;
  readonly billingAddress: boolean;
  /** Three-letter codes, or `any` where it does not limit them. */
  readonly currencies: 'any' | readonly string[];
  /** Whether a charge can be refunded through here. */
  readonly refunds: boolean;
  /** Where its own list of charges comes from. */
  readonly lists: 'api' | 'report' | 'none';
  /** Whether invoices live there that are paid there or not at all. */
  readonly holdsInvoices: boolean;
}

/** What credentials say by themselves of the account that they open, before the PSP is asked. */
export interface PspIdentity {
  /** Stays the same when keys of the account change; absent where only the PSP can name it. */
  readonly accountId?: string;
  readonly mode: AccountMode;
}

/** The connection that a gateway was found by. */
export interface GatewayConnection {
  readonly version: number;
  readonly mode: AccountMode;
  /** False for an account that another has replaced: nothing is charged through it. */
  readonly isActive: boolean;
}

/** One account at a payment service provider, the same for each. */
export interface PspGateway {
  readonly capabilities: PspCapabilities;
  readonly identity?: PspIdentity;
  /** Set on gateways that `findGateway` gives. */
  readonly connection?: GatewayConnection;
  charge(request: ChargeRequest): Promise<ChargeResult>;
  lookUp(request: LookUpRequest): Promise<LookUpResult>;
  /** The PSP's invoice that a failed charge belongs to. */
  findInvoice(input: { readonly pspTransactionId: string }): Promise<FoundInvoice>;
  refund(request: RefundRequest): Promise<RefundResult>;
  listCharges(request: ListChargesRequest): Promise<ListedCharges>;
  readReport(text: string): ReportReading;
  /** Asks the PSP whether the credentials of this connection work, without moving money. */
  checkCredentials(): Promise<CredentialsCheck>;
  /** Reads what the events of a dispute leave out: whose charge it was, and on which card. */
  lookUpDispute(question: DisputeQuestion): Promise<DisputeAnswer>;
  /** Verifies a webhook of this account and reads what it means; may ask the PSP for the rest. */
  readWebhook(delivery: PspWebhook): Promise<WebhookReading>;
}

/** A webhook as it came: the bytes that were signed, and headers by their names in lower case. */
export interface PspWebhook {
  readonly rawBody: Uint8Array;
  readonly headers: Readonly<Record<string, string>>;
  readonly receivedAt: Date;
}

export type WebhookReading =
  | {
      readonly kind: 'read';
      readonly events: readonly PspEvent[];
      /** The body that the PSP waits for, where a status of 200 is not enough. */
      readonly answer?: string;
    }
  /**
   * No valid signature of this account, or one that is too old. `reason` never repeats a secret.
   */
  | { readonly kind: 'unverified'; readonly reason: string }
  | { readonly kind: 'malformed'; readonly reason: string }
  /** What it means had to be asked of the PSP, which did not answer: it is to be sent again. */
  | { readonly kind: 'unavailable'; readonly reason: string };

/** One event of a PSP. `eventId` is the PSP's own, the same each time that it is sent. */
export interface PspEvent {
  readonly eventId: string;
  /** The PSP's name of the event, such as `invoice.payment_failed`. */
  readonly type: string;
  readonly occurredAt: Date;
  readonly parsed: ParsedEvent;
}

/** The kinds of parsed events; the column and the operator's API have the same words. */
export const pspEventKinds = [
  'billing_attempt',
  'payment_method_updates',
  'charge_settled',
  'refund_settled',
  'invoice_closed',
  'dispute',
  'not_used',
] as const satisfies readonly ParsedEvent['kind'][];

/** What an event means to Recoup, whichever PSP sent it. */
export type ParsedEvent =
  /** A billing attempt, failed or successful, of an invoice kept at the PSP. */
  | {
      readonly kind: 'billing_attempt';
      readonly event: PaymentEventBody;
      readonly pspInvoiceId?: string;
    }
  /** One event may change several methods, as a new default of a customer does. */
  | {
      readonly kind: 'payment_method_updates';
      readonly updates: readonly PaymentMethodUpdateBody[];
    }
  /** What became of a charge that Recoup sent, by its key. */
  | {
      readonly kind: 'charge_settled';
      readonly idempotencyKey: string;
      readonly result: Extract<ChargeResult, { kind: 'succeeded' | 'declined' }>;
    }
  /** What became of a refund that Recoup may have asked for. */
  | {
      readonly kind: 'refund_settled';
      /** The charge that it is of. */
      readonly pspTransactionId: string;
      readonly refundId: string;
      /** The key that it was asked for with, where the PSP names it. */
      readonly idempotencyKey?: string;
      /** `failed` also later on: refused by the network, or the money came back. */
      readonly outcome: 'refunded' | 'failed';
      readonly reason?: string;
    }
  /** Nothing is owed any more: the invoice was voided or written off at the PSP. */
  | { readonly kind: 'invoice_closed'; readonly invoiceId: string; readonly reason: string }
  /**
   * A dispute or a fraud warning; without its record where Recoup does not know the PSP's words.
   */
  | { readonly kind: 'dispute'; readonly dispute?: ReportedDispute }
  | { readonly kind: 'not_used' };
