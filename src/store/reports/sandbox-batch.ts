import type { PaymentState } from '../../domain/states.ts';
import type { PaymentSummary } from '../../recovery/api.ts';
import type { BatchTotal } from '../../recovery/sandbox-api.ts';
import type { Queryable, Statement } from '../database.ts';
import { type PaymentRow, paymentColumns, toPaymentSummary } from '../views/payment-row.ts';

const totalsOf: Statement = {
  name: 'sum_sandbox_batch',
  text: `
    select state, currency, count(*)::int as count, sum(amount_minor)::bigint as amount_minor
    from payments where merchant_id = $1 and invoice_id = any ($2::text[])
    group by state, currency order by state, currency`,
};

const maxLatest = 25;

const latestOf: Statement = {
  name: 'latest_of_sandbox_batch',
  text: `
    select ${paymentColumns('p')} from payments p
    where p.merchant_id = $1 and p.invoice_id = any ($2::text[])
    order by p.updated_at desc, p.invoice_id limit ${maxLatest}`,
};

interface TotalRow {
  readonly state: PaymentState;
  readonly currency: string;
  readonly count: number;
  readonly amount_minor: number;
}

/** How payments stand: sums for each state and currency, and the 25 that changed last. */
export async function readBatch(
  db: Queryable,
  input: { readonly merchantId: string; readonly invoiceIds: readonly string[] },
): Promise<{
  readonly totals: readonly BatchTotal[];
  readonly latest: readonly PaymentSummary[];
}> {
  const values = [input.merchantId, input.invoiceIds];
  const [totals, latest] = await Promise.all([
    db.query<TotalRow>(totalsOf, values),
    db.query<PaymentRow>(latestOf, values),
  ]);
  return {
    totals: totals.map((row) => ({
      status: row.state,
      currency: row.currency,
      count: row.count,
      amountMinor: row.amount_minor,
    })),
    latest: latest.map(toPaymentSummary),
  };
}
