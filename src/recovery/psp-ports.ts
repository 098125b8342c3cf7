import type { CardCode } from '../domain/card-code.ts';
import type { Decline } from '../domain/declines/decline.ts';
import type { DisputeAnswer, DisputeQuestion } from '../domain/disputes/dispute-look-up.ts';
import type { ReportedDispute } from '../domain/disputes/reported-dispute.ts';
import type { ChargedCard } from '../domain/network-rules/card-attempt.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { PaymentEventBody, PaymentMethodUpdateBody } from '../domain/payment-event.ts';
import type { Psp } from '../domain/psps.ts';

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
 * What a PSP said. `unknown` is a charge that may or may not have been made (lost answer, time-out,
 * 5xx); `not_made` is certain never to have been made (refused connection, refused credentials).
 */
export type ChargeResult =
  | {
      readonly kind: 'succeeded';
      readonly pspTransactionId: string;
      readonly networkTransactionId?: string;
      readonly card?: ChargedCard;
    }
  | {
      readonly kind: 'declined';
      readonly pspTransactionId?: string;
      readonly networkTransactionId?: string;
      readonly card?: ChargedCard;
      readonly decline: Decline;
    }
  | { readonly kind: 'unknown'; readonly reason: string }
  | { readonly kind: 'not_made'; readonly reason: string; readonly retryAfterMs?: number };

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

/** Whether the credentials open an account; `account` is its name or id at the PSP. */
export type CredentialsCheck =
  | { readonly kind: 'accepted'; readonly account?: string; readonly warnings?: readonly string[] }
  /** `reason` says what to change, in a sentence. */
  | { readonly kind: 'refused'; readonly reason: string }
  | { readonly kind: 'unreachable'; readonly reason: string };

/** What a processor can do, for those who plan, settle and document; one list per folder. */
export interface PspCapabilities {
  readonly psp: Psp;
  /**
   * How long the processor remembers an idempotency key. A charge sent again after that is a new
   * charge, so an unknown outcome must be settled before.
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
}

/** One account at a payment service provider, the same for each. */
export interface PspGateway {
  readonly capabilities: PspCapabilities;
  charge(request: ChargeRequest): Promise<ChargeResult>;
  lookUp(request: LookUpRequest): Promise<LookUpResult>;
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
  /** No valid signature of this account, or one that is too old. `reason` never repeats a secret. */
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
  readonly meaning: PspEventMeaning;
}

/** The kinds of meanings; the column and the operator's API have the same words. */
export const pspEventKinds = [
  'billing_attempt',
  'payment_method_updates',
  'charge_settled',
  'invoice_closed',
  'dispute',
  'not_used',
] as const satisfies readonly PspEventMeaning['kind'][];

/** What an event means to Recoup, whichever PSP sent it. */
export type PspEventMeaning =
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
  /** Nothing is owed any more: the invoice was voided or written off at the PSP. */
  | { readonly kind: 'invoice_closed'; readonly invoiceId: string; readonly reason: string }
  /** A dispute or a fraud warning; without its record where Recoup does not know the PSP's words. */
  | { readonly kind: 'dispute'; readonly dispute?: ReportedDispute }
  | { readonly kind: 'not_used' };
