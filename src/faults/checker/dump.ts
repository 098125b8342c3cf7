/** Rows of the service's tables as they are at the end, by the names of their columns. */
export interface Dump {
  readonly payments: readonly PaymentRow[];
  readonly attempts: readonly AttemptRow[];
  readonly charges: readonly ChargeRow[];
  readonly events: readonly EventRow[];
  readonly deliveries: readonly DeliveryRow[];
  readonly requests: readonly RequestRow[];
  readonly incidents: readonly IncidentRow[];
}

export interface PaymentRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly state: string;
  readonly stop_reason: string | null;
  readonly next_attempt_at: Date | null;
  readonly set_aside_at?: Date | null;
  readonly frozen_at?: Date | null;
}

export interface AttemptRow {
  readonly merchant_id: string;
  readonly attempt_id: string;
  readonly invoice_id: string;
  readonly state: string;
}

export interface ChargeRow {
  readonly merchant_id: string;
  readonly attempt_id: string;
  readonly invoice_id: string;
  readonly state: string;
  readonly idempotency_key: string;
  readonly psp_transaction_id: string | null;
  /** Why it was declined. */
  readonly decline: { readonly code: string } | null;
  readonly next_attempt_at: Date | null;
  readonly set_aside_at?: Date | null;
}

export interface EventRow {
  readonly merchant_id: string;
  readonly event_id: string;
  readonly type: string;
  /** Of an attempt that was told before, of which something more came to light. */
  readonly is_late: boolean;
  readonly attempt_id: string | null;
}

export interface DeliveryRow {
  readonly merchant_id: string;
  readonly event_id: string;
  readonly state: string;
  readonly set_aside_at?: Date | null;
}

export interface RequestRow {
  readonly merchant_id: string;
  readonly uuid: string;
  readonly state: string;
  readonly outcome: unknown;
  readonly set_aside_at?: Date | null;
}

export interface IncidentRow {
  readonly merchant_id: string;
  readonly invoice_id: string | null;
  /** The key of the charge that it is of, also where the record has no debt for it. */
  readonly charge: string | null;
  readonly kind: string;
}
