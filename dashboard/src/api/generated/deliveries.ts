// Generated from openapi/operator.json by npm run generate; do not edit.
import type { AnswerTimesJson, EventTypeJson } from './webhook-endpoints.ts';

export type DeliveryStatusJson = 'pending' | 'delivered' | 'exhausted';

export type LoggedDeliveryJson = DeliveryJson & {
  /** Of a further endpoint. */
  readonly endpoint_id?: string;
  /** Absent for a card that is about to expire, which concerns no invoice. */
  readonly invoice_id?: string;
  /** The event's place in the merchant's event log. */
  readonly sequence: number;
  /** When the event was recorded. */
  readonly created_at: string;
  /** Every send. */
  readonly log: readonly DeliveryTryJson[];
};

export type DeliveryJson = {
  readonly event_id: string;
  /** The kind of event. */
  readonly type: string;
  /** exhausted: given up after the last redelivery. */
  readonly status: DeliveryStatusJson;
  /** Sends so far. */
  readonly tries: number;
  /** When it is sent next. */
  readonly next_attempt_at?: string;
  /** When the merchant acknowledged it. */
  readonly delivered_at?: string;
  /** The status of the last answer. */
  readonly last_status?: number;
  /** Why the last send failed. */
  readonly last_error?: string;
};

export type DeliveryTryJson = {
  readonly number: number;
  /** When it was sent. */
  readonly sent_at: string;
  /** The status of the answer. */
  readonly status?: number;
  /** Why it failed. */
  readonly error?: string;
  readonly duration_ms: number;
  /** If the answer did not acknowledge: the beginning of its body, with card numbers, e-mail addresses and credentials removed. */
  readonly answer?: string;
};

export type ReplayStatusJson = 'pending' | 'delivered' | 'exhausted' | 'any';

/** Deliveries that are sent again together, and what became of them. */
export type ReplayJson = {
  readonly id: string;
  /** done: all that it asks for is queued. */
  readonly state: 'running' | 'done';
  /** The state that was asked for. */
  readonly status: ReplayStatusJson;
  /** The type that was asked for; absent: any. */
  readonly type?: EventTypeJson;
  /** The further endpoint that was meant. */
  readonly endpoint_id?: string;
  /** Of events created at this time or later. */
  readonly from: string;
  /** And before this one. */
  readonly until: string;
  /** Deliveries that it meant when it was asked for. */
  readonly matched: number;
  /** Of them queued again so far: the sum of the five that follow. */
  readonly queued: number;
  /** Not sent yet. */
  readonly waiting: number;
  /** Accepted. */
  readonly delivered: number;
  /** Sent, not accepted, and sent again every 12 hours for 7 days. */
  readonly failing: number;
  /** Given up once more, or set aside. */
  readonly exhausted: number;
  /** Taken over by a later replay, which counts them. */
  readonly superseded: number;
  /** When it was requested. */
  readonly requested_at: string;
  /** When the last of them was queued. */
  readonly ended_at?: string;
};

export type EndpointHealthJson = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  /** primary: the merchant's own webhook address. */
  readonly endpoint_id: string;
  readonly webhook_url: string;
  /** failing: something was sent and not taken. paused: nothing is sent until it is resumed. */
  readonly state: 'healthy' | 'failing' | 'idle' | 'paused';
  /** Since when nothing is sent. */
  readonly paused_at?: string;
  /** Sent and not accepted so far; counted up to 1000. */
  readonly waiting: number;
  /** When the oldest of them was sent first. */
  readonly failing_since?: string;
  readonly last_error?: string;
  /** Given up in 14 days; counted up to 1000. */
  readonly exhausted: number;
  /** When the latest was taken. */
  readonly last_delivered_at?: string;
  /** Of the latest 50 that were accepted. */
  readonly duration_ms?: AnswerTimesJson;
};

/** The event as it is sent, and every send. */
export type DeliveryDetailJson = {
  readonly delivery: LoggedDeliveryJson;
  /** The exact text that is signed and sent. */
  readonly body: string;
  /** Of the latest send; secrets and signatures are masked. */
  readonly headers: readonly {
    readonly name: string;
    readonly value: string;
  }[];
};

/** Whether the webhook is one of ours, by the secrets that are valid now. */
export type SignatureVerdictJson = {
  /** What it is. */
  readonly verdict: 'valid' | 'expired' | 'body_changed' | 'wrong';
  /** The likeliest reason, in words. */
  readonly because?: string;
  /** When it ended. */
  readonly expired_at?: string;
};

export type ListDeliveriesQuery = {
  /** Only those in this state. */
  readonly status?: DeliveryStatusJson;
  /** Only those of this invoice. */
  readonly invoice_id?: string;
  /** A further endpoint's. Default: primary, the merchant's own webhook address. */
  readonly endpoint_id?: string;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListDeliveriesAnswer = {
  readonly items: readonly LoggedDeliveryJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ReplayDeliveryQuery = {
  /** A further endpoint's. Default: primary, the merchant's own webhook address. */
  readonly endpoint_id?: string;
};

export type ReplayDeliveryAnswer = {
  readonly status: 'queued';
};

export type CountDeliveriesQuery = {
  /** Only those in this state; any: delivered ones too. Default: exhausted. */
  readonly status?: ReplayStatusJson;
  /** Only events of this type. */
  readonly type?: EventTypeJson;
  /** A further endpoint's. Default: primary, the merchant's own webhook address. */
  readonly endpoint_id?: string;
  /** Of events created at this time or later; those in the archive are passed over. */
  readonly from: string;
  /** And before this one. Default: now. */
  readonly until?: string;
};

export type CountDeliveriesAnswer = {
  /** Deliveries of this kind now. */
  readonly count: number;
};

export type BeginReplayBody = {
  /** Only those in this state; any: delivered ones too. Default: exhausted. */
  readonly status?: ReplayStatusJson;
  /** Only events of this type. */
  readonly type?: EventTypeJson;
  /** A further endpoint's. Default: primary, the merchant's own webhook address. */
  readonly endpoint_id?: string;
  /** Of events created at this time or later; those in the archive are passed over. */
  readonly from: string;
  /** And before this one. Default: now. */
  readonly until?: string;
};

export type ListReplaysQuery = {
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListReplaysAnswer = {
  readonly items: readonly ReplayJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type FollowEventsQuery = {
  /** Only events after this one: the cursor from the previous answer. Without it: no events, only the cursor to begin with. Archived events are not in the log. */
  readonly after?: string;
  readonly limit?: number;
};

export type FollowEventsAnswer = {
  readonly items: readonly {
    readonly event_id: string;
    /** Its number in the merchant's log. */
    readonly sequence: string;
    /** The X-Service-Webhook-Type of the webhook. */
    readonly type: string;
    /** Absent for a card that is about to expire, which concerns no invoice. */
    readonly invoice_id?: string;
    /** When it was written. */
    readonly created_at: string;
    /** The webhook's body as it is sent, byte for byte. */
    readonly payload: string;
  }[];
  /** The cursor for the next call. */
  readonly cursor: string;
};

export type ListEndpointsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type ListEndpointsAnswer = {
  readonly items: readonly EndpointHealthJson[];
};

export type ShowDeliveryQuery = {
  /** A further endpoint's. Default: primary, the merchant's own webhook address. */
  readonly endpoint_id?: string;
};

export type TestSignatureBody = {
  /** The raw body as it was received. */
  readonly body: string;
  /** X-Service-Webhook-Expiration. */
  readonly expiration: string;
  /** X-Service-Webhook-Signature. */
  readonly signature: string;
};
