// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';

export type ListPspEventsQuery = {
  /** Only those of this PSP. */
  readonly psp?: PspJson;
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListPspEventsAnswer = {
  readonly items: readonly {
    /** Whose event it is. */
    readonly psp: PspJson;
    /** The PSP's own id of it. */
    readonly event_id: string;
    /** The PSP's name of the event. */
    readonly type: string;
    /** What it means to Recoup. */
    readonly kind: 'billing_attempt' | 'payment_method_updates' | 'charge_settled' | 'refund_settled' | 'invoice_closed' | 'dispute' | 'not_used';
    /** What Recoup made of it; see docs/psp-webhooks.md. */
    readonly outcome: 'accepted' | 'unusable' | 'charge_settled' | 'refund_settled' | 'already_settled' | 'charge_unknown' | 'contradiction' | 'recovery_stopped' | 'nothing_to_stop' | 'dispute_kept' | 'nothing_to_do';
    readonly invoice_id?: string;
    readonly psp_transaction_id?: string;
    /** When it happened at the PSP. */
    readonly occurred_at: string;
    /** When it came. */
    readonly received_at: string;
  }[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type ListPspEventsItem = ListPspEventsAnswer['items'][number];
