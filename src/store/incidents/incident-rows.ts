import type { Psp } from '../../domain/psps.ts';
import type { IncidentKind, IncidentState } from '../../domain/states.ts';
import type { Incident, IncidentSide } from '../../recovery/incidents/incident-ports.ts';

/** A side as its column keeps it. */
interface SideRow {
  readonly state: string;
  readonly psp_transaction_id?: string;
  readonly amount_minor?: number;
  readonly currency?: string;
  readonly is_live?: boolean;
  readonly at?: string;
}

export interface IncidentRow {
  readonly merchant_id: string;
  readonly incident_id: string;
  readonly kind: IncidentKind;
  readonly subject: string;
  readonly invoice_id: string | null;
  readonly psp: Psp;
  readonly connection_version: number | null;
  readonly charge: string;
  readonly ours: SideRow | null;
  readonly theirs: SideRow | null;
  readonly detail: string;
  readonly state: IncidentState;
  readonly refund_id: string | null;
  readonly failed_refunds: number;
  readonly refund_asked_at: Date | null;
  readonly resolution: string | null;
  readonly opened_at: Date;
  readonly resolved_at: Date | null;
}

export function toIncident(row: IncidentRow): Incident {
  return {
    merchantId: row.merchant_id,
    incidentId: row.incident_id,
    kind: row.kind,
    subject: row.subject,
    psp: row.psp,
    charge: row.charge,
    detail: row.detail,
    state: row.state,
    openedAt: row.opened_at,
    failedRefunds: row.failed_refunds,
    ...(row.invoice_id === null ? {} : { invoiceId: row.invoice_id }),
    ...(row.connection_version === null ? {} : { connectionVersion: row.connection_version }),
    ...(row.ours === null ? {} : { ours: toSide(row.ours) }),
    ...(row.theirs === null ? {} : { theirs: toSide(row.theirs) }),
    ...(row.refund_id === null ? {} : { refundId: row.refund_id }),
    ...(row.refund_asked_at === null ? {} : { refundAskedAt: row.refund_asked_at }),
    ...(row.resolution === null ? {} : { resolution: row.resolution }),
    ...(row.resolved_at === null ? {} : { resolvedAt: row.resolved_at }),
  };
}

function toSide(row: SideRow): IncidentSide {
  return {
    state: row.state,
    ...(row.psp_transaction_id === undefined ? {} : { pspTransactionId: row.psp_transaction_id }),
    ...(row.amount_minor === undefined ? {} : { amountMinor: row.amount_minor }),
    ...(row.currency === undefined ? {} : { currency: row.currency }),
    ...(row.is_live === undefined ? {} : { isLive: row.is_live }),
    ...(row.at === undefined ? {} : { at: new Date(row.at) }),
  };
}

export function sideRow(side: IncidentSide | undefined): string | undefined {
  if (side === undefined) return undefined;
  const row: SideRow = {
    state: side.state,
    ...(side.pspTransactionId === undefined ? {} : { psp_transaction_id: side.pspTransactionId }),
    ...(side.amountMinor === undefined ? {} : { amount_minor: side.amountMinor }),
    ...(side.currency === undefined ? {} : { currency: side.currency }),
    ...(side.isLive === undefined ? {} : { is_live: side.isLive }),
    ...(side.at === undefined ? {} : { at: side.at.toISOString() }),
  };
  return JSON.stringify(row);
}
