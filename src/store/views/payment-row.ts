import { present } from '../../domain/present.ts';
import type { Hold, PaymentState, StopReason, Wait } from '../../domain/states.ts';
import type { PaymentSummary } from '../../recovery/api.ts';

/** Select list of a payment's summary, for alias `p`. A wait for an update is no next attempt. */
export function paymentColumns(p: string): string {
  return `${p}.merchant_id, ${p}.invoice_id, ${p}.customer_id, ${p}.state, ${p}.stop_reason,
    ${p}.stop_detail, ${p}.amount_minor, ${p}.currency, ${p}.failed_at, ${p}.window_ends_at,
    case when ${p}.state = 'scheduled' and ${p}.due_action = 'attempt'
         then ${p}.next_attempt_at end as next_attempt_at,
    case when ${waitsFor(p, 'customer')} then 'customer'
         when ${waitsFor(p, 'attempt')} then 'attempt' end as waiting_for,
    case when ${p}.state <> 'scheduled' then null
         when ${p}.frozen_at is not null then 'incident'
         when ${p}.set_aside_at is not null then 'set_aside' end as held_by,
    ${p}.attempt_count, ${p}.created_at, ${p}.updated_at`;
}

/**
 * A condition on what scheduled payments wait for, for alias `p`, in the words of the index
 * payments_waiting_for_customer. One that is frozen or set aside is not due, and goes on with a plan.
 */
export function waitsFor(p: string, wait: Wait): string {
  return wait === 'customer'
    ? `${p}.state = 'scheduled' and ${p}.due_action = 'expire' and ${p}.next_attempt_at is not null`
    : `${p}.state = 'scheduled'
       and (${p}.due_action is distinct from 'expire' or ${p}.next_attempt_at is null)`;
}

export interface PaymentRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly state: PaymentState;
  readonly stop_reason: StopReason | null;
  readonly stop_detail: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly failed_at: Date;
  readonly window_ends_at: Date;
  readonly next_attempt_at: Date | null;
  readonly waiting_for: Wait | null;
  readonly held_by: Hold | null;
  readonly attempt_count: number;
  readonly created_at: Date;
  readonly updated_at: Date;
}

export function toPaymentSummary(row: PaymentRow): PaymentSummary {
  return {
    invoiceId: row.invoice_id,
    customerId: row.customer_id,
    status: row.state,
    amountMinor: row.amount_minor,
    currency: row.currency,
    failedAt: row.failed_at,
    windowEndsAt: row.window_ends_at,
    attemptCount: row.attempt_count,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    ...present({
      stopReason: row.stop_reason ?? undefined,
      stopDetail: row.stop_detail ?? undefined,
      nextAttemptAt: row.next_attempt_at ?? undefined,
      waitingFor: row.waiting_for ?? undefined,
      heldBy: row.held_by ?? undefined,
    }),
  };
}
