import { present } from '../../domain/present.ts';
import type { Hold, HoldFilter, PaymentState, StopReason, Wait } from '../../domain/states.ts';
import type { PaymentSummary } from '../../recovery/api.ts';

/** Select list of a payment's summary, for alias `p`. A wait for an update is no next attempt. */
export function paymentColumns(p: string): string {
  return `${p}.merchant_id, ${p}.invoice_id, ${p}.customer_id, ${p}.state, ${p}.stop_reason,
    ${p}.stop_detail, ${p}.amount_minor, ${p}.currency, ${p}.failed_at, ${p}.window_ends_at,
    case when ${p}.state = 'scheduled' and ${p}.due_action = 'attempt'
         then ${p}.next_attempt_at end as next_attempt_at,
    case when ${waitsFor(p, 'customer')} then 'customer'
         when ${waitsFor(p, 'attempt')} then 'attempt' end as waiting_for,
    ${heldByOf(p)} as held_by,
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

/**
 * A condition on what holds payments, for alias `p`; those that something holds in the words of the index
 * payments_on_hold. One that is frozen and set aside is held by its incident.
 */
export function isHeld(p: string, by: HoldFilter): string {
  const any = `${p}.state = 'scheduled' and (${p}.frozen_at is not null or ${p}.set_aside_at is not null)`;
  if (by === 'any') return any;
  if (by === 'incident') return `${any} and ${p}.frozen_at is not null`;
  if (by === 'set_aside') return `${any} and ${p}.frozen_at is null`;
  return `(${p}.state <> 'scheduled' or (${p}.frozen_at is null and ${p}.set_aside_at is null))`;
}

/** What holds a payment, of alias `p`; null where nothing does. */
export function heldByOf(p: string): string {
  return `case when ${isHeld(p, 'incident')} then 'incident'
         when ${isHeld(p, 'set_aside')} then 'set_aside' end`;
}

/** A condition on what holds a payment where the filter is a parameter, or null: no filter. */
export function isHeldAsAsked(heldBy: string, parameter: string): string {
  return `(${parameter}::text is null or case ${parameter} when 'any' then ${heldBy} is not null
    when 'none' then ${heldBy} is null else ${heldBy} = ${parameter} end)`;
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
