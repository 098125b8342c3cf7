import type { Database } from '../../../src/store/database.ts';

/** How many of each reason ended how: won, lost, accepted, expired, withdrawn, and not decided yet. */
const ended = `
  (1, 'visa', 'fraud', '10.4', array[18, 12, 2, 1, 1, 3]),
  (1, 'visa', 'consumer', '13.7', array[4, 9, 3, 0, 2, 1]),
  (1, 'visa', 'processing', '12.6.1', array[2, 1, 0, 0, 0, 0]),
  (1, 'mastercard', 'fraud', '4837', array[9, 5, 0, 1, 0, 2]),
  (1, 'mastercard', 'consumer', '4853', array[3, 4, 1, 2, 0, 0]),
  (1, 'amex', 'fraud', 'F29', array[1, 2, 0, 0, 0, 1]),
  (1, null, null, null, array[0, 0, 0, 2, 0, 1]),
  (2, 'visa', 'fraud', '10.4', array[5, 7, 0, 4, 0, 1]),
  (2, 'mastercard', 'authorisation', '4808', array[0, 1, 0, 0, 1, 0])`;

const statuses = "array['won', 'lost', 'accepted', 'expired', 'closed', 'under_review']";

/** Disputes of two months ago and before: of no payment of the world, so that its sums stay as they are. */
export async function seedDecidedDisputes(
  db: Database,
  input: { readonly merchantIds: readonly string[]; readonly now: Date },
): Promise<void> {
  await db.pool.query(
    `insert into disputes (merchant_id, dispute_id, psp, psp_dispute_id, origin, kind, stage, status,
       state_at, stage_begun_at, network, reason_family, reason_code, amount_minor, currency, opened_at,
       payment_ids, match_state, matched_at, created_at, updated_at)
     select ($1::text[])[m], 'dis_' || name, 'sandbox', 'dp_' || name, 'psp', 'dispute', 'chargeback', status,
       at + interval '40 days', at, network, family, code, 4900, 'USD', at, array['ch_' || name], 'none', at, at, at
     from (
       select *, m || '_' || coalesce(code, 'none') || '_' || status || '_' || n as name,
         $2::timestamptz - make_interval(days => 62 + n * 3) as at
       from (values ${ended}) of (m, network, family, code, counts),
         unnest(${statuses}, counts) each (status, count), generate_series(1, count) n
       where m <= cardinality($1::text[])
     ) drawn`,
    [input.merchantIds, input.now],
  );
}
