// Generated from openapi/recovery.json by npm run generate; do not edit.
import type { Delivery } from './payments.ts';

export type Event = {
  readonly event_id: string;
  /** A number that rises without gaps, as text. */
  readonly sequence: string;
  /** The X-Service-Webhook-Type of the webhook. */
  readonly type: string;
  /** Absent for a card that is about to expire, which concerns no invoice. */
  readonly invoice_id?: string;
  /** When it happened. */
  readonly created_at: string;
  /** The webhook's body. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly delivery: Delivery;
};

export type ListEventsQuery = {
  /** Only events after this one: a next_cursor, or the sequence of the last event that you have. */
  readonly cursor?: string;
  /** Items on a page. */
  readonly limit?: number;
};

export type ListEventsAnswer = {
  readonly events: readonly Event[];
  /** Where the next page begins. Absent on the last one. */
  readonly next_cursor?: string;
};

export type RedeliverEventBody = {
};

export type RedeliverEventAnswer = {
  readonly message: string;
  readonly event_id: string;
};
