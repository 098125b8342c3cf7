import type pg from 'pg';

export interface NewPayments {
  readonly merchantIds: readonly string[];
  readonly count: number;
  /** Sets the invoices of one call apart from those of another. */
  readonly label: string;
  /** When the first and the last of them are due. */
  readonly from: Date;
  readonly to: Date;
  /** Writes the due time into the invoice's id, for whoever measures lateness. */
  readonly namesDue: boolean;
}

/**
 * Payments that are planned for an attempt, spread evenly over the merchants and the time. Each has a card of its own: one
 * that was charged in every round would have more history, and cost more to judge, in each.
 */
export async function insertPayments(client: pg.ClientBase, input: NewPayments): Promise<void> {
  const { merchantIds, count, label, from, to, namesDue } = input;
  await client.query(
    `insert into payments (merchant_id, invoice_id, customer_id, subscription_id, transaction_id,
       original_psp_transaction_id, psp, amount_minor, currency, custom, payment_method_ids,
       first_decline, failed_at, window_ends_at, max_attempts, decision, due_action,
       next_attempt_at, created_at, updated_at)
     select ($1::text[])[1 + n % cardinality($1::text[])],
       'in_' || $2 || '_' || n
         || case when $6 then '_due' || (extract(epoch from due) * 1000)::bigint else '' end,
       'cus_' || $2 || '_' || n, 'sub_' || n, 'tx_' || n, 'ch_' || n, 'sandbox', 4250, 'USD',
       '{"plan":"gold"}', array['pm_sandbox_success--' || $2 || '_' || n],
       '{"category":"later","code":"insufficient_funds","networkCode":"51","network":"visa","message":"Insufficient funds"}',
       due - interval '1 day', due + interval '27 days', 8,
       jsonb_build_object('kind', 'attempt', 'because', 'the fixed schedule''s next time',
         'policy', 'fixed', 'policy_version', '1', 'decided_at', due - interval '1 day', 'at', due,
         'methods', array['pm_sandbox_success--' || $2 || '_' || n],
         'candidates', jsonb_build_array(jsonb_build_object('at', due, 'score', 1)),
         'bounded_by', '[]'::jsonb, 'propensity', 1),
       'attempt', due, due - interval '1 day', due - interval '1 day'
     from (select n, date_trunc('milliseconds', $4::timestamptz
             + ($5::timestamptz - $4::timestamptz) * n / greatest(1, $3 - 1)) as due
           from generate_series(0, $3 - 1) n) planned`,
    [merchantIds, label, count, from, to, namesDue],
  );
}

/** Resolves when every event is delivered; fails where a payment ended otherwise. */
export async function allDelivered(client: pg.ClientBase): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ left: boolean }>(
      'select exists (select 1 from deliveries where next_attempt_at is not null) as left',
    );
    if (rows[0]?.left === false) return;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
