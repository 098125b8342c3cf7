import type { Merchant, MerchantSecrets } from '../domain/merchant.ts';
import type { JsonObject } from '../domain/payment.ts';
import type { ChargeToken } from './psp-ports.ts';

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
  readonly url: string;
  /** The endpoint's own, by lower-case names. */
  readonly headers?: Readonly<Record<string, string>>;
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
      /** The beginning of what the server said, where that is a text. */
      readonly answer?: string;
      readonly durationMs: number;
    };
