import type { PaymentState } from '../../domain/states.ts';
import type { LiveChange } from '../../recovery/reports/live.ts';
import type { Queryable, Statement } from '../database.ts';

const read: Statement = {
  name: 'read_live_changes',
  text: `
    select merchant_id, invoice_id, state, amount_minor, currency, updated_at as at
    from payments
    where updated_at >= $1
    order by updated_at, merchant_id, invoice_id
    limit $2`,
};

interface ChangeRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly state: PaymentState;
  readonly amount_minor: number;
  readonly currency: string;
  readonly at: Date;
}

/** Payments that changed at a time or later, the oldest change first. */
export async function readChanges(
  db: Queryable,
  input: { readonly since: Date; readonly limit: number },
): Promise<readonly LiveChange[]> {
  const rows = await db.query<ChangeRow>(read, [input.since, input.limit]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    status: row.state,
    amountMinor: row.amount_minor,
    currency: row.currency,
    at: row.at,
  }));
}
