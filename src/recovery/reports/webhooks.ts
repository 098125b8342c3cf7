import type { OperatorDelivery } from './operator-views.ts';

/** How one webhook endpoint does. */
export interface EndpointHealth {
  readonly merchantId: string;
  readonly merchantName: string;
  /** `primary`: the merchant's own webhook address. */
  readonly endpointId: string;
  readonly webhookUrl: string;
  /** `failing`: something was sent and not taken, and is sent again later. `idle`: nothing was sent. */
  readonly state: 'healthy' | 'failing' | 'idle' | 'paused';
  readonly pausedAt?: Date;
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

/** How an endpoint's first sends went, by the step in which their events were recorded. */
export interface EndpointSuccess {
  readonly step: 'hour' | 'day';
  readonly points: readonly {
    readonly at: Date;
    /** Events that were sent once at least. */
    readonly sent: number;
    /** Of them accepted at their first send. */
    readonly accepted: number;
    readonly durationMs?: { readonly median: number; readonly p95: number };
  }[];
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
