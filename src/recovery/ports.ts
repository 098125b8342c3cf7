import type { CardCode } from '../domain/card-code.ts';
import type { Decline } from '../domain/declines/decline.ts';
import type { Merchant, MerchantSecrets } from '../domain/merchant.ts';
import type { JsonObject } from '../domain/payment.ts';

/** One charge of a stored method, off session. Same idempotency key, same parameters, always. */
export interface ChargeRequest {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly idempotencyKey: string;
  readonly amountMinor: number;
  readonly currency: string;
  readonly paymentMethodId: string;
  readonly pspCustomerId?: string;
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
    }
  | {
      readonly kind: 'declined';
      readonly pspTransactionId?: string;
      readonly networkTransactionId?: string;
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
}

/** `not_found`: the PSP's record is complete and does not hold it; it was never made. */
export type LookUpResult =
  | Exclude<ChargeResult, { kind: 'not_made' }>
  | { readonly kind: 'not_found' };

/** One payment service provider, the same for each. */
export interface PspGateway {
  charge(request: ChargeRequest): Promise<ChargeResult>;
  lookUp(request: LookUpRequest): Promise<LookUpResult>;
}

/** The final check at the merchant's server. */
export interface RetryStatusRequest {
  readonly merchant: Merchant;
  readonly secrets: MerchantSecrets;
  readonly invoiceId: string;
  readonly custom?: JsonObject;
}

/** A payment method as the merchant's answer names it. */
export interface AnswerMethod {
  readonly id?: string;
  readonly networkTransactionId?: string;
  readonly bin?: string;
  readonly token?: ChargeToken;
  readonly billingAddress?: JsonObject;
}

/** What the merchant's server said, once it is understood. */
export type RetryStatusAnswer =
  | {
      readonly kind: 'retry';
      readonly reason: string;
      /** Major units as the merchant gave them; judged by the use case. */
      readonly amount?: number;
      readonly metadata?: JsonObject;
      readonly paymentMethods?: readonly AnswerMethod[];
    }
  | { readonly kind: 'do_not_retry'; readonly reason: string }
  | { readonly kind: 'not_found'; readonly detail: string }
  | { readonly kind: 'rate_limited'; readonly retryAfterMs?: number }
  /** No usable answer: wrong credentials, 5xx, time-out, redirect, malformed. Nothing was charged. */
  | { readonly kind: 'no_answer'; readonly cause: NoAnswerCause; readonly detail: string };

export const noAnswerCauses = [
  'unauthorized',
  'server_error',
  'unexpected_status',
  'redirect',
  'timeout',
  'connection_failed',
  'address_refused',
  'too_large',
  'wrong_type',
  'malformed',
] as const;
export type NoAnswerCause = (typeof noAnswerCauses)[number];

export interface MerchantClient {
  askRetryStatus(request: RetryStatusRequest): Promise<RetryStatusAnswer>;
  sendWebhook(request: WebhookRequest): Promise<WebhookResult>;
}

/** One send of an event whose body was frozen when it was recorded. */
export interface WebhookRequest {
  readonly merchant: Merchant;
  readonly secrets: MerchantSecrets;
  readonly eventId: string;
  readonly type: string;
  readonly body: string;
  readonly sentAt: Date;
}

export type WebhookResult =
  | { readonly kind: 'delivered'; readonly status: number; readonly durationMs: number }
  | {
      readonly kind: 'failed';
      readonly status?: number;
      readonly cause: NoAnswerCause;
      readonly detail: string;
      readonly durationMs: number;
    };
