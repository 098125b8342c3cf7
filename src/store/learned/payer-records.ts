import type { Decline } from '../../domain/declines/decline.ts';
import type { TransactionBody } from '../../domain/payment-event.ts';
import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import { maxPastCharges } from '../../recovery/learned/payer-facts.ts';
import type { PastRecord, PayerKey, PayerRecord } from '../../recovery/learned/ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type PaymentMethodRow, paymentMethodFacts } from '../payment-method-facts.ts';
import { segmentOf } from './segment-of.ts';

/**
 * Each payer's last charges of other invoices, what the merchant reported and what we charged (once,
 * where it was reported back), with their methods. All by key, so that a batch costs its rows alone.
 */
const read: Statement = {
  name: 'read_payer_records',
  text: `
    select k.merchant_id, k.invoice_id,
      ${segmentOf('k')} as product_id,
      (select json_agg(c) from (
         (select t.occurred_at as at, t.success, t.amount_minor, t.currency, t.psp,
                 t.detail -> 'outcome' as outcome, null::jsonb as decline
          from transactions t
          where t.merchant_id = k.merchant_id and t.customer_id = k.customer_id
            and t.invoice_id <> k.invoice_id and t.occurred_at < $4
          order by t.occurred_at desc limit $5)
         union all
         (select c.sent_at, c.state = 'succeeded', c.amount_minor, c.currency, c.psp, null,
                 c.decline - array['message', 'sources']
          from payments p
          join recorded_attempts a using (merchant_id, invoice_id)
          join psp_transactions c on c.merchant_id = a.merchant_id and c.attempt_id = a.attempt_id
          where p.merchant_id = k.merchant_id and p.customer_id = k.customer_id
            and p.invoice_id <> k.invoice_id and c.sent_at < $4
            and c.state in ('succeeded', 'declined')
            and not exists (select from transactions t
                            where t.merchant_id = c.merchant_id and t.invoice_id = c.invoice_id
                              and t.psp_transaction_id = c.psp_transaction_id)
          order by c.sent_at desc limit $5)
         order by at desc limit $5) c) as past,
      (select json_agg(json_build_object(
                'payment_method_id', m.payment_method_id, 'scheme', m.scheme,
                'funding_source', m.funding_source, 'bin', m.bin,
                'issuer_country', m.issuer_country) order by m.payment_method_id)
       from payment_methods m
       where m.merchant_id = k.merchant_id and m.customer_id = k.customer_id) as methods
    from unnest($1::text[], $2::text[], $3::text[]) as k (merchant_id, invoice_id, customer_id)`,
};

interface PayerRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly product_id: string | null;
  readonly past: readonly PastRow[] | null;
  readonly methods: readonly PaymentMethodRow[] | null;
}

interface PastRow {
  readonly at: string;
  readonly success: boolean;
  readonly amount_minor: number;
  readonly currency: string;
  readonly psp: Psp;
  readonly outcome: TransactionBody['outcome'] | null;
  readonly decline: Decline | null;
}

/** What is kept of these payers before `at`; `most` charges of each, the last ones. */
export async function readPayerRecords(
  db: Queryable,
  keys: readonly PayerKey[],
  at: Date,
  max: number = maxPastCharges,
): Promise<readonly PayerRecord[]> {
  if (keys.length === 0) return [];
  const rows = await db.query<PayerRow>(read, [
    keys.map((key) => key.merchantId),
    keys.map((key) => key.invoiceId),
    keys.map((key) => key.customerId),
    at,
    max,
  ]);
  return rows.map((row) => ({
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    past: (row.past ?? []).map(toPast).reverse(),
    methods: (row.methods ?? []).map(paymentMethodFacts),
    ...present({ productId: row.product_id ?? undefined }),
  }));
}

function toPast(row: PastRow): PastRecord {
  return {
    at: new Date(row.at),
    succeeded: row.success,
    amountMinor: row.amount_minor,
    currency: row.currency,
    psp: row.psp,
    ...present({ outcome: row.outcome ?? undefined, decline: row.decline ?? undefined }),
  };
}
