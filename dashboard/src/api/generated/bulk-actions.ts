// Generated from openapi/operator.json by npm run generate; do not edit.
import type { HeldByFilterJson } from './payments.ts';

export type OpenPaymentStatusJson = 'scheduled' | 'attempting';

/** What is done to each. */
export type BulkActionJson = 'stop' | 'retry' | 'set_aside';

/** An action on many payments, and its result. */
export type BulkJson = {
  readonly id: string;
  /** What is done to each. */
  readonly action: BulkActionJson;
  /** As given in the request. */
  readonly reason: string;
  /** done: each payment was looked at. */
  readonly state: 'running' | 'done';
  /** The state that was asked for; absent: both. */
  readonly status?: OpenPaymentStatusJson;
  /** What they were waiting for; absent: either. */
  readonly waiting_for?: 'attempt' | 'customer';
  /** What was to hold them; absent: whatever does or nothing. */
  readonly held_by?: 'incident' | 'set_aside' | 'any' | 'none';
  /** Recoveries that began then or later. */
  readonly created_from?: string;
  /** And before this one. */
  readonly created_to: string;
  /** Payments that matched when it was requested. */
  readonly matched: number;
  /** Payments that it was done to. */
  readonly done: number;
  /** Why it was not done to the others, most frequent reason first. */
  readonly not_done: readonly {
    /** Why it was not done. */
    readonly because: string;
    /** How many those are. */
    readonly count: number;
  }[];
  /** Payments that matched when it was requested but no longer did when it reached them. Given once it is done. */
  readonly moved?: number;
  /** When it was requested. */
  readonly requested_at: string;
  /** When it reached the last one. */
  readonly ended_at?: string;
};

export type CountPaymentsQuery = {
  /** Only those in this state. Default: both. */
  readonly status?: OpenPaymentStatusJson;
  /** Only scheduled ones that wait for their next attempt, or for their customer. */
  readonly waiting_for?: 'attempt' | 'customer';
  /** Only those that an open incident holds, or work that was set aside; `any`: either; `none`: only those that nothing holds. */
  readonly held_by?: HeldByFilterJson;
  /** Only those whose recovery began then or later. */
  readonly created_from?: string;
  /** And before this one. Default: now. */
  readonly created_to?: string;
};

export type CountPaymentsAnswer = {
  /** Open payments that match these filters now. */
  readonly count: number;
};

export type BeginBulkBody = {
  /** What is done to each. */
  readonly action: BulkActionJson;
  /** Why, in words; kept with each payment. */
  readonly reason: string;
  /** Only those in this state. Default: both. */
  readonly status?: OpenPaymentStatusJson;
  /** Only scheduled ones that wait for their next attempt, or for their customer. */
  readonly waiting_for?: 'attempt' | 'customer';
  /** Only those that an open incident holds, or work that was set aside; `any`: either; `none`: only those that nothing holds. */
  readonly held_by?: HeldByFilterJson;
  /** Only those whose recovery began then or later. */
  readonly created_from?: string;
  /** And before this one. Default: now. */
  readonly created_to?: string;
};

export type ListBulksQuery = {
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListBulksAnswer = {
  readonly items: readonly BulkJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};
