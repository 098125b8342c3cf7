import type { BeginCharge, BeginChargeOutcome } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * Writes each charge as `sending` before its PSP is called, provided that the worker still holds the
 * payment and nobody asked for a stop. The payment rows are locked in one order, so that batches
 * running beside each other do not deadlock; a stop waits for this transaction or is seen by it.
 *
 * Rows under way are told by the states that they are not in. Asked for those states themselves, the
 * planner would read the whole index of them, which it takes for empty, instead of each row by its
 * key.
 */
const begin: Statement = {
  name: 'begin_charges',
  text: `
    with input as (
      select * from json_to_recordset($1::json) as i (
        n int, merchant_id text, invoice_id text, fence int, attempt_id text, ordinal int, psp text,
        idempotency_key text, payment_method_id text, amount_minor bigint, currency text,
        check_answer jsonb, sent_at timestamptz)
    ),
    held as (
      select p.merchant_id, p.invoice_id, p.fence, p.stop_reason
      from payments p
      where (p.merchant_id, p.invoice_id) in (select merchant_id, invoice_id from input)
        and p.state not in ('scheduled', 'recovered', 'stopped', 'exhausted')
      order by p.merchant_id, p.invoice_id
      for update
    ),
    ready as (
      select i.* from input i join held h using (merchant_id, invoice_id)
      where h.fence = i.fence and h.stop_reason is null
    ),
    charging as (
      update attempts a
      set state = 'charging', check_answer = r.check_answer,
          amount_minor = r.amount_minor, currency = r.currency
      from ready r
      where a.merchant_id = r.merchant_id and a.attempt_id = r.attempt_id
        and a.state not in ('succeeded', 'declined', 'not_attempted', 'unknown')
      returning r.*
    ),
    begun as (
      insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
        idempotency_key, payment_method_id, amount_minor, currency, sent_at)
      select merchant_id, attempt_id, ordinal, invoice_id, psp, 'sending',
             idempotency_key, payment_method_id, amount_minor, currency, sent_at
      from charging
      returning merchant_id, attempt_id
    )
    select i.n,
           case
             when b.attempt_id is not null then 'begun'
             when h.fence = i.fence and h.stop_reason is not null then 'stopped'
             else 'lease_lost'
           end as outcome
    from input i
    left join begun b on b.merchant_id = i.merchant_id and b.attempt_id = i.attempt_id
    left join held h on h.merchant_id = i.merchant_id and h.invoice_id = i.invoice_id
    order by i.n`,
};

export async function beginCharges(
  db: Queryable,
  charges: readonly BeginCharge[],
): Promise<readonly BeginChargeOutcome[]> {
  const input = charges.map((charge, n) => ({
    n,
    merchant_id: charge.merchantId,
    invoice_id: charge.invoiceId,
    fence: charge.fence,
    attempt_id: charge.attemptId,
    ordinal: charge.ordinal,
    psp: charge.psp,
    idempotency_key: charge.idempotencyKey,
    payment_method_id: charge.paymentMethodId,
    amount_minor: charge.amountMinor,
    currency: charge.currency,
    check_answer: charge.check,
    sent_at: charge.sentAt,
  }));
  const rows = await db.query<{ outcome: BeginChargeOutcome }>(begin, [JSON.stringify(input)]);
  return rows.map((row) => row.outcome);
}
