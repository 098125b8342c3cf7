// Generated from openapi/operator.json by npm run generate; do not edit.
import type { PspJson } from './merchants.ts';
import type { PaymentStatusJson } from './payments.ts';

/** What contradicts the record, with both records side by side. */
export type IncidentJson = {
  readonly id: string;
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id: string;
  /** What does not fit; docs/states.md explains each. */
  readonly kind: 'contradiction' | 'two_successes' | 'amount_differs' | 'mode_differs' | 'missing_at_psp' | 'missing_here' | 'state_differs';
  /** Its invoice is frozen while it is open or refunding. */
  readonly state: 'open' | 'refunding' | 'refunded' | 'dismissed';
  readonly invoice_id?: string;
  /** Whose charge it is. */
  readonly psp: PspJson;
  /** Recoup's key of the charge, or its id at the processor. */
  readonly charge: string;
  /** What is wrong. */
  readonly detail: string;
  /** The charge as one of the two records has it. */
  readonly ours?: IncidentSideJson;
  /** The charge as one of the two records has it. */
  readonly theirs?: IncidentSideJson;
  /** The processor's id of the refund. */
  readonly refund_id?: string;
  /** Who decided it and why. */
  readonly resolution?: string;
  /** When it was found. */
  readonly opened_at: string;
  /** When it was refunded or dismissed. */
  readonly resolved_at?: string;
};

/** The charge as one of the two records has it. */
export type IncidentSideJson = {
  /** In the words of that side. */
  readonly state: string;
  readonly psp_transaction_id?: string;
  /** In major units. */
  readonly amount?: number;
  readonly currency?: string;
  /** False: a test charge. */
  readonly is_live?: boolean;
  /** When it was sent, made or reported. */
  readonly at?: string;
};

/** What became of the incident. */
export type ResolvedIncidentJson = {
  /** refunding: the refund is not certain yet; repeat the call to ask the processor again. */
  readonly state: 'refunding' | 'refunded' | 'dismissed';
  /** Why it is not certain yet. */
  readonly because?: string;
  /** The payment's state now. */
  readonly status?: PaymentStatusJson;
};

export type ListIncidentsQuery = {
  /** The merchant's id, as its creation answered it. */
  readonly merchant_id?: string;
  /** Only those of this invoice. */
  readonly invoice_id?: string;
  /** unresolved: open or refunding. */
  readonly state?: 'unresolved' | 'open' | 'refunding' | 'refunded' | 'dismissed';
  /** Reads on: the next_cursor of the page before. */
  readonly cursor?: string;
  readonly limit?: number;
};

export type ListIncidentsAnswer = {
  readonly items: readonly IncidentJson[];
  /** Absent on the last page. */
  readonly next_cursor?: string;
};

export type RefundIncidentBody = {
  /** Who decided it and why; kept with the incident. */
  readonly reason: string;
};

export type DismissIncidentBody = {
  /** Who decided it and why; kept with the incident. */
  readonly reason: string;
};
