import { present } from '../../../domain/present.ts';
import type {
  CustomerAttempt,
  CustomerDispute,
  CustomerMethod,
  CustomerOf,
  CustomerRecord,
} from '../../../recovery/reports/customer.ts';
import type { Queryable, Statement } from '../../database.ts';
import { type PaymentMethodRow, paymentMethodFacts } from '../../payment-method-facts.ts';
import { isCounted } from '../../rollups/payment-dimensions.ts';
import { wonOf } from '../../views/amount-won.ts';
import { type PaymentRow, paymentColumns, toPaymentSummary } from '../../views/payment-row.ts';

/** Lines of one kind that are shown of one customer: more than years of monthly bills leave behind. */
const maxLines = 200;

const payments: Statement = {
  name: 'customer_payments',
  text: `
    select ${paymentColumns('p')} from payments p
    where p.merchant_id = $1 and p.customer_id = $2
    order by p.created_at desc, p.invoice_id desc limit ${maxLines}`,
};

/** All that was ever counted, beyond the lines that are shown; a debt once, under however many ids. What was recovered is what was charged, which may be less. */
const totals: Statement = {
  name: 'customer_totals',
  text: `
    select p.currency, count(*)::int as payments, sum(p.amount_minor)::bigint as failed_minor,
      coalesce(sum(coalesce(won.amount_minor, p.amount_minor)) filter (where p.state = 'recovered'), 0)::bigint
        as recovered_minor,
      coalesce(sum(p.amount_minor) filter (where p.state in ('scheduled', 'attempting')), 0)::bigint
        as open_minor
    from payments p
    ${wonOf('p')}
    where p.merchant_id = $1 and p.customer_id = $2 and ${isCounted('p')}
    group by 1 order by 2 desc, 1`,
};

const methods: Statement = {
  name: 'customer_methods',
  text: `
    select payment_method_id, scheme, funding_source, bin, issuer_country,
      state = 'removed' as is_removed, last_reason, signalled_at, created_at
    from payment_methods where merchant_id = $1 and customer_id = $2
    order by created_at desc, payment_method_id limit ${maxLines}`,
};

const attempts: Statement = {
  name: 'customer_attempts',
  text: `
    select a.invoice_id, a.number, a.state, a.started_at, t.decline, t.payment_method_id,
      coalesce(a.amount_minor, p.amount_minor) as amount_minor,
      coalesce(a.currency, p.currency) as currency
    from payments p
    join all_attempts a using (merchant_id, invoice_id)
    left join lateral (
      select decline, payment_method_id from psp_transactions t
      where t.merchant_id = a.merchant_id and t.attempt_id = a.attempt_id
      order by ordinal desc limit 1
    ) t on true
    where p.merchant_id = $1 and p.customer_id = $2
    order by a.started_at desc, a.attempt_id desc limit ${maxLines}`,
};

/** By what the processor said of the customer, and by the charges of the customer's payments. */
const disputes: Statement = {
  name: 'customer_disputes',
  text: `
    with own as (
      select p.invoice_id, array_agg(t.psp_transaction_id) as charges
      from payments p
      join lateral (
        select p.original_psp_transaction_id as psp_transaction_id
        union all
        select c.psp_transaction_id from psp_transactions c
        where c.merchant_id = p.merchant_id and c.invoice_id = p.invoice_id
          and c.psp_transaction_id is not null
      ) t on true
      where p.merchant_id = $1 and p.customer_id = $2
      group by 1
      order by 1 desc limit ${maxLines}
    )
    select distinct d.dispute_id, d.psp_dispute_id, d.kind, d.stage, d.status, d.reason,
      d.amount_minor, d.currency, d.opened_at, d.respond_by, o.invoice_id
    from own o
    join disputes d on d.merchant_id = $1 and d.payment_ids && o.charges
    order by d.opened_at desc, d.dispute_id limit ${maxLines}`,
};

interface TotalsRow {
  readonly currency: string;
  readonly payments: number;
  readonly failed_minor: number;
  readonly recovered_minor: number;
  readonly open_minor: number;
}

interface MethodRow extends PaymentMethodRow {
  readonly is_removed: boolean;
  readonly last_reason: string | null;
  readonly signalled_at: Date | null;
  readonly created_at: Date;
}

interface AttemptRow {
  readonly invoice_id: string;
  readonly number: number;
  readonly state: string;
  readonly started_at: Date;
  readonly decline: { readonly code?: string; readonly networkCode?: string } | null;
  readonly payment_method_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
}

interface DisputeRow {
  readonly dispute_id: string;
  readonly psp_dispute_id: string;
  readonly kind: string;
  readonly stage: string | null;
  readonly status: string | null;
  readonly reason: string | null;
  readonly amount_minor: number | null;
  readonly currency: string | null;
  readonly opened_at: Date;
  readonly respond_by: Date | null;
  readonly invoice_id: string;
}

/** All that one customer of a merchant has here; undefined for one without a payment. */
export async function readCustomer(
  db: Queryable,
  { merchantId, customerId }: CustomerOf,
): Promise<CustomerRecord | undefined> {
  const key = [merchantId, customerId];
  const [ofTotals, ofPayments, ofMethods, ofAttempts, ofDisputes] = await Promise.all([
    db.query<TotalsRow>(totals, key),
    db.query<PaymentRow>(payments, key),
    db.query<MethodRow>(methods, key),
    db.query<AttemptRow>(attempts, key),
    db.query<DisputeRow>(disputes, key),
  ]);
  if (ofPayments.length === 0) return undefined;
  return {
    totals: ofTotals.map((row) => ({
      currency: row.currency,
      payments: row.payments,
      failedMinor: row.failed_minor,
      recoveredMinor: row.recovered_minor,
      openMinor: row.open_minor,
    })),
    payments: ofPayments.map(toPaymentSummary),
    methods: ofMethods.map(toMethod),
    attempts: ofAttempts.map(toAttempt),
    disputes: ofDisputes.map(toDispute),
  };
}

function toMethod(row: MethodRow): CustomerMethod {
  const { last_reason: reason, signalled_at: at } = row;
  return {
    ...paymentMethodFacts(row),
    isRemoved: row.is_removed,
    since: row.created_at,
    ...(reason !== null && at !== null && { signal: { reason, at } }),
  };
}

function toAttempt(row: AttemptRow): CustomerAttempt {
  return {
    invoiceId: row.invoice_id,
    number: row.number,
    state: row.state,
    at: row.started_at,
    amountMinor: row.amount_minor,
    currency: row.currency,
    ...present({
      paymentMethodId: row.payment_method_id ?? undefined,
      code: row.decline?.networkCode ?? row.decline?.code,
    }),
  };
}

function toDispute(row: DisputeRow): CustomerDispute {
  return {
    disputeId: row.dispute_id,
    pspDisputeId: row.psp_dispute_id,
    state: row.status ?? row.kind,
    invoiceId: row.invoice_id,
    openedAt: row.opened_at,
    ...present({
      reason: row.reason ?? undefined,
      amountMinor: row.amount_minor ?? undefined,
      currency: row.currency ?? undefined,
      respondBy: row.respond_by ?? undefined,
    }),
  };
}
