import type { ChargeFacts, DisputeStore } from '../../disputes/dispute-ports.ts';
import { present } from '../../domain/present.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * Whose charge it was: a report of it, or a charge of ours by its id or its key. The card of the method
 * is that of its row, where the PSP did not name one. Each branch is a look into one index.
 */
const find: Statement = {
  name: 'find_disputed_charge',
  text: `
    with charge as (
      select t.occurred_at as charged_at, t.network_transaction_id, t.invoice_id, t.subscription_id,
             t.customer_id, t.payment_method_id, 1 as place
      from transactions t
      where t.merchant_id = $1 and t.psp_transaction_id = any ($3) and t.success and t.psp = $2
      union all
      select t.sent_at, t.network_transaction_id, t.invoice_id, p.subscription_id,
             p.customer_id, t.payment_method_id, 2
      from psp_transactions t
      join payments p on p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
      where t.merchant_id = $1 and t.psp = $2
        and (t.psp_transaction_id = any ($3)
             or (t.idempotency_key = $4 and t.state <> 'not_made'))
      order by place
      limit 1
    )
    select c.charged_at, c.network_transaction_id, c.invoice_id, c.subscription_id,
           coalesce(c.customer_id, m.customer_id) as customer_id, m.psp_customer_id,
           coalesce(c.payment_method_id, $5) as payment_method_id, m.fingerprint
    from (select 1) one
    left join charge c on true
    left join payment_methods m
      on m.merchant_id = $1 and m.payment_method_id = coalesce($5, c.payment_method_id)`,
};

interface ChargeRow {
  readonly charged_at: Date | null;
  readonly network_transaction_id: string | null;
  readonly invoice_id: string | null;
  readonly subscription_id: string | null;
  readonly customer_id: string | null;
  readonly psp_customer_id: string | null;
  readonly payment_method_id: string | null;
  readonly fingerprint: string | null;
}

export async function findDisputedCharge(
  db: Queryable,
  input: Parameters<DisputeStore['findCharge']>[0],
): Promise<ChargeFacts> {
  const { merchantId, psp, paymentIds, idempotencyKey, paymentMethodId } = input;
  const values = [merchantId, psp, paymentIds, idempotencyKey, paymentMethodId];
  const [row] = await db.query<ChargeRow>(find, values);
  if (row === undefined) return {};
  return present({
    chargedAt: row.charged_at ?? undefined,
    networkTransactionId: row.network_transaction_id ?? undefined,
    invoiceId: row.invoice_id ?? undefined,
    subscriptionId: row.subscription_id ?? undefined,
    customerId: row.customer_id ?? undefined,
    pspCustomerId: row.psp_customer_id ?? undefined,
    paymentMethodId: row.payment_method_id ?? undefined,
    cardFingerprint: row.fingerprint ?? undefined,
  });
}
