/**
 * What the archive packs of a payment: the rows of its webhooks whole, and of its own row, its attempts and its
 * charges what only tells of this one payment. The rest of those stays: debts, disputes, networks' rules, sums and
 * training find an old charge as they find a new one.
 */

/** Tables whose rows of a payment are packed, in an order in which each row finds what it refers to. */
export const packedTables = [
  'events',
  'deliveries',
  'delivery_tries',
  'endpoint_deliveries',
  'endpoint_delivery_tries',
] as const;
export type PackedTable = (typeof packedTables)[number];

const delivered = { state: 'delivered', tries: 1, fence: 1, failures: 0 };

/**
 * Values that a packed row leaves unsaid. Rows that are packed already count on them: none may ever change, and a
 * column that is added with a default, and so is missing there, is added here.
 */
export const unsaid: Readonly<Record<PackedTable, Readonly<Record<string, unknown>>>> = {
  events: { is_late: false },
  deliveries: delivered,
  delivery_tries: {},
  endpoint_deliveries: delivered,
  endpoint_delivery_tries: {},
};

/**
 * Of a delivery, a replay counts what is packed of it in a row of its own, which nobody counts back. What servers answered
 * is kept with no send for as long as a payment rests, and nothing would remove it from a packed row.
 */
const neverPacked: readonly string[] = ['replay_id', 'last_answer', 'answer'];

/** Keys that only a payment's own page shows. */
const ofDeclines = ['message', 'sources'];
/** Keys that training and reports of arms read of attempts long ago. */
const readOfDecisions = ['arm', 'decided_at', 'propensity'];

const without = (json: string, keys: readonly string[]): string =>
  `(${json} - array['${keys.join("', '")}'])`;

/** The keys of an object that are there; null where none is. */
const only = (json: string, keys: readonly string[]): string => `(
    select jsonb_object_agg(k.key, k.value) from jsonb_each(${json}) k
    where k.key = any (array['${keys.join("', '")}']))`;

/** What stays of these columns. An attempt that was charged says its yes for a constraint. */
export const slim = {
  decline: (json: string) => without(json, ofDeclines),
  decisionOfPayment: (json: string) => only(json, ['arm', 'payment_arm']),
  decisionOfAttempt: (json: string) => only(json, readOfDecisions),
  check: (json: string) => only(json, ['retry']),
};

/** The fields that say something, of an object in SQL; `said`: a further condition on a field `c`. */
const saying = (json: string, said = 'true'): string => `(
      select coalesce(jsonb_object_agg(c.key, c.value), '{}') from jsonb_each(${json}) c
      where c.value <> 'null' and ${said})`;

/** The packed rows of one table, of payment `p`. */
const rowsOf = (table: PackedTable): string => {
  const unsaidValue = `'${JSON.stringify(unsaid[table])}'::jsonb -> c.key`;
  const keyOfPayment = `jsonb_build_object('merchant_id', p.merchant_id, 'invoice_id', p.invoice_id) -> c.key`;
  const row = saying(
    'to_jsonb(r)',
    `c.value is distinct from coalesce(${unsaidValue}, ${keyOfPayment}, 'null'::jsonb)
        and c.key <> all (array['${neverPacked.join("', '")}'])`,
  );
  const [from, event] =
    table === 'events'
      ? ['events r', 'r']
      : [`events e join ${table} r using (merchant_id, event_id)`, 'e'];
  return `coalesce((
    select jsonb_agg(${row} order by ${event}.sequence) from ${from}
    where ${event}.merchant_id = p.merchant_id and ${event}.invoice_id = p.invoice_id), '[]')`;
};

/** All that is packed of payment `p`, of whose own row at least these columns are there, as one text. */
export const packedText = `jsonb_build_object(
  'payment', ${saying(`jsonb_build_object('decision', p.decision, 'first_decline', p.first_decline)`)},
  'attempts', coalesce((
    select jsonb_object_agg(a.attempt_id, ${saying(`jsonb_build_object(
        'decision', a.decision, 'check_answer', a.check_answer, 'blocked_charges', a.blocked_charges)`)})
    from attempts a where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id), '{}'),
  'charges', coalesce((
    select jsonb_object_agg(t.attempt_id || '/' || t.ordinal, ${saying(`jsonb_build_object(
        'decline', t.decline, 'check_answer', t.check_answer, 'attempt_decision', t.attempt_decision)`)})
    from recorded_attempts a join psp_transactions t using (merchant_id, attempt_id)
    where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
      and (t.decline is not null or t.attempt_number is not null)), '{}'),
  ${packedTables.map((table) => `'${table}', ${rowsOf(table)}`).join(',\n  ')})::text`;

/** The first day of the month, in UTC, whose table a payment `p` is packed in. */
export const monthOf = (p: string): string =>
  `date_trunc('month', ${p}.created_at at time zone 'UTC')::date`;
