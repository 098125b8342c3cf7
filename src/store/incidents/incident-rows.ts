import { present } from '../../domain/present.ts';
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
  readonly dismissal_begun_at: Date | null;
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
    ...present({
      invoiceId: row.invoice_id ?? undefined,
      connectionVersion: row.connection_version ?? undefined,
    }),
    ...(row.ours !== null && { ours: toSide(row.ours) }),
    ...(row.theirs !== null && { theirs: toSide(row.theirs) }),
    ...present({
      refundId: row.refund_id ?? undefined,
      refundAskedAt: row.refund_asked_at ?? undefined,
      dismissalBegunAt: row.dismissal_begun_at ?? undefined,
      resolution: row.resolution ?? undefined,
      resolvedAt: row.resolved_at ?? undefined,
    }),
  };
}

function toSide(row: SideRow): IncidentSide {
  return {
    state: row.state,
    ...present({
      pspTransactionId: row.psp_transaction_id,
      amountMinor: row.amount_minor,
      currency: row.currency,
      isLive: row.is_live,
    }),
    ...(row.at !== undefined && { at: new Date(row.at) }),
  };
}

export function sideRow(side: IncidentSide | undefined): string | undefined {
  if (side === undefined) return undefined;
  const row: SideRow = {
    state: side.state,
    ...present({
      psp_transaction_id: side.pspTransactionId,
      amount_minor: side.amountMinor,
      currency: side.currency,
      is_live: side.isLive,
    }),
    ...(side.at !== undefined && { at: side.at.toISOString() }),
  };
  return JSON.stringify(row);
}
