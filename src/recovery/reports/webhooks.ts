import type { OperatorDelivery } from './operator-views.ts';

/** How one merchant's webhook endpoint does. */
export interface EndpointHealth {
  readonly merchantId: string;
  readonly merchantName: string;
  readonly webhookUrl: string;
  /** `failing`: something was sent and not taken, and is sent again later. `idle`: nothing was sent. */
  readonly state: 'healthy' | 'failing' | 'idle';
  /** Deliveries that were sent and not taken; counted up to a thousand. */
  readonly waiting: number;
  readonly failingSince?: Date;
  readonly lastError?: string;
  /** Given up in the last 14 days; counted up to a thousand. */
  readonly exhausted: number;
  readonly lastDeliveredAt?: Date;
  /** Median and 95th percentile of the latest sends. */
  readonly durationMs?: { readonly median: number; readonly p95: number };
}

/** One event with all that was sent of it. */
export interface DeliveryDetail {
  readonly delivery: OperatorDelivery;
  /** The exact text that is signed and sent. */
  readonly body: string;
  /** As the latest send had them; what is secret or made anew for each send is masked. */
  readonly headers: readonly { readonly name: string; readonly value: string }[];
}

/** What a merchant's engineer received, to be judged. */
export interface SignatureTest {
  readonly body: string;
  /** X-Service-Webhook-Expiration as it came. */
  readonly expiration: string;
  /** X-Service-Webhook-Signature as it came. */
  readonly signature: string;
}

export type SignatureVerdict =
  | { readonly kind: 'valid' }
  /** Right, but its time is over: of an old send, or the receiver's clock is wrong. */
  | { readonly kind: 'expired'; readonly expiredAt: Date }
  /** Right for this body instead: what changed on its way, in words. */
  | { readonly kind: 'body_changed'; readonly how: string }
  | { readonly kind: 'wrong'; readonly why: string };
