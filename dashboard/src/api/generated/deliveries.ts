// Generated from openapi/operator.json by npm run generate; do not edit.

export type DeliveryStatusJson = 'pending' | 'delivered' | 'exhausted';

export type LoggedDeliveryJson = DeliveryJson & {
  readonly invoice_id: string;
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
};

export type EndpointHealthJson = {
  readonly merchant_id: string;
  readonly merchant_name: string;
  readonly webhook_url: string;
  /** failing: something was sent and not taken. */
  readonly state: 'healthy' | 'failing' | 'idle';
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
  readonly duration_ms?: {
    readonly median: number;
    readonly p95: number;
  };
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
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListDeliveriesAnswer = {
  readonly items: readonly LoggedDeliveryJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ReplayDeliveryAnswer = {
  readonly status: 'queued';
};

export type ReplayExhaustedBody = {
  /** Of events created at this time or later. */
  readonly since: string;
};

export type ReplayExhaustedAnswer = {
  readonly queued: number;
  /** The service's time; what is left is counted of events created before it. */
  readonly begun_at: string;
};

export type CountExhaustedQuery = {
  /** Of events created at this time or later. */
  readonly since: string;
  /** And before this one, such as the `begun_at` of a replay. */
  readonly until?: string;
};

export type CountExhaustedAnswer = {
  /** Given up; a replay sends them again. */
  readonly exhausted: number;
  /** Queued, and not sent since. */
  readonly waiting: number;
  /** Sent, not accepted, and sent again within the 7 days. */
  readonly failing: number;
};

export type FollowEventsQuery = {
  /** Only events after this one: the cursor of the answer before. Without it: no event, but the cursor to begin with. */
  readonly after?: string;
  readonly limit?: number;
};

export type FollowEventsAnswer = {
  readonly items: readonly {
    readonly event_id: string;
    /** Its number in the log of the merchant. */
    readonly sequence: string;
    /** The X-Service-Webhook-Type of the webhook. */
    readonly type: string;
    readonly invoice_id: string;
    /** When it was written. */
    readonly created_at: string;
    /** The webhook's body as it is sent, byte for byte. */
    readonly payload: string;
  }[];
  /** What to go on after. */
  readonly cursor: string;
};

export type ListEndpointsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
};

export type ListEndpointsAnswer = {
  readonly items: readonly EndpointHealthJson[];
};

export type TestSignatureBody = {
  /** The raw body as it was received. */
  readonly body: string;
  /** X-Service-Webhook-Expiration. */
  readonly expiration: string;
  /** X-Service-Webhook-Signature. */
  readonly signature: string;
};
