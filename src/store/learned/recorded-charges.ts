import type { Decline } from '../../domain/declines/decline.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { ReadRecordedCharges, RecordedCharge } from '../../recovery/what-if/what-if-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * A merchant's charges by whole invoices: what it reported, and what we charged. A charge of ours that
 * was reported back is there once, as ours, since that one knows how its time was chosen. A page is a
 * range of invoices: all of it is read off keys, and costs its own rows however many there are.
 */
const read: Statement = {
  name: 'read_recorded_charges',
  text: `
    with page as materialized (
      select max(invoice_id) as last_invoice
      from (select invoice_id from transactions
            where merchant_id = $1 and occurred_at >= $2 and occurred_at <= $5 and invoice_id > $3
            order by merchant_id, invoice_id, psp_transaction_id limit $4) reports
    ),
    own as materialized (
      select c.invoice_id, c.psp_transaction_id, c.attempt_id || '/' || c.ordinal as charge_id, c.psp,
        c.sent_at as at, c.amount_minor, c.currency, c.state = 'succeeded' as success,
        c.payment_method_id, c.decline, p.customer_id,
        case when c.ordinal = 1 then (a.decision ->> 'propensity')::float8 end as propensity
      from payments p
      join recorded_attempts a on a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
      join psp_transactions c on c.merchant_id = a.merchant_id and c.attempt_id = a.attempt_id
      where p.merchant_id = $1 and p.invoice_id > $3
        and p.invoice_id <= (select last_invoice from page) and p.failed_at >= $2
        and c.state in ('succeeded', 'declined')
    )
    select o.charge_id, o.invoice_id, o.customer_id, o.psp, o.at, o.amount_minor, o.currency,
      o.success, o.payment_method_id, o.decline, null::jsonb as outcome, o.propensity, m.scheme,
      m.funding_source, m.bin, m.issuer_country
    from own o
    left join payment_methods m on m.merchant_id = $1 and m.payment_method_id = o.payment_method_id
    union all
    select t.psp || '/' || t.psp_transaction_id, t.invoice_id, t.customer_id, t.psp, t.occurred_at,
      t.amount_minor, t.currency, t.success, t.payment_method_id, null, t.detail -> 'outcome', null,
      t.detail ->> 'scheme', t.detail ->> 'funding_source', t.detail ->> 'bin',
      t.detail ->> 'issuer_country'
    from transactions t
    where t.merchant_id = $1 and t.invoice_id > $3
      and t.invoice_id <= (select last_invoice from page) and t.occurred_at >= $2
      and t.occurred_at <= $5
      and not exists (select from own o
                      where o.invoice_id = t.invoice_id
                        and o.psp_transaction_id = t.psp_transaction_id)
    order by invoice_id, at`,
};

interface ChargeRow {
  readonly charge_id: string;
  readonly invoice_id: string;
  readonly customer_id: string;
  readonly psp: Psp;
  readonly at: Date;
  readonly amount_minor: number;
  readonly currency: string;
  readonly success: boolean;
  readonly payment_method_id: string;
  readonly decline: Decline | null;
  readonly outcome: TransactionBody['outcome'] | null;
  readonly propensity: number | null;
  readonly scheme: string | null;
  readonly funding_source: string | null;
  readonly bin: string | null;
  readonly issuer_country: string | null;
}

export async function readRecordedCharges(
  db: Queryable,
  input: Parameters<ReadRecordedCharges>[0],
): Promise<readonly RecordedCharge[]> {
  const { merchantId, from, to, afterInvoice, limit } = input;
  const rows = await db.query<ChargeRow>(read, [merchantId, from, afterInvoice ?? '', limit, to]);
  return rows.map((row) =>
    present({
      chargeId: row.charge_id,
      invoiceId: row.invoice_id,
      customerId: row.customer_id,
      psp: row.psp,
      at: row.at,
      amountMinor: row.amount_minor,
      currency: row.currency,
      succeeded: row.success,
      paymentMethodId: row.payment_method_id,
      scheme: row.scheme ?? undefined,
      fundingSource: row.funding_source ?? undefined,
      bin: row.bin ?? undefined,
      issuerCountry: row.issuer_country ?? undefined,
      decline: row.decline ?? undefined,
      outcome: row.outcome ?? undefined,
      propensity: row.propensity ?? undefined,
    }),
  );
}
