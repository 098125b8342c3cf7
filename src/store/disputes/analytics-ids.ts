import type { AnalyticsIdentifiers } from '../../domain/disputes/matching/match-score.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';

/** The columns of `analytics` by which analytics records are matched. */
export const analyticsIdColumns = `analytics_id, psp, charge_id, transaction_id,
  network_transaction_id, invoice_id, subscription_id, customer_id, captured_at`;

export interface AnalyticsIdsRow {
  readonly analytics_id: string;
  readonly psp: Psp;
  readonly charge_id: string | null;
  readonly transaction_id: string | null;
  readonly network_transaction_id: string | null;
  readonly invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly customer_id: string | null;
  readonly captured_at: Date;
}

export function analyticsIdentifiers(row: AnalyticsIdsRow): AnalyticsIdentifiers {
  return {
    id: row.analytics_id,
    psp: row.psp,
    capturedAt: row.captured_at,
    ...present({
      chargeId: row.charge_id ?? undefined,
      transactionId: row.transaction_id ?? undefined,
      networkTransactionId: row.network_transaction_id ?? undefined,
      invoiceId: row.invoice_id ?? undefined,
      subscriptionId: row.subscription_id ?? undefined,
      customerId: row.customer_id ?? undefined,
    }),
  };
}
