import type { Database, Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { compress } from './compress.ts';
import { monthOf, packedTables, packedText, slim } from './packed-rows.ts';
import { packingBegins } from './packing.ts';

/** Payments that one transaction looks at: some tenths of a second of work. */
const maxPayments = 200;

/** One run at a time. A row of before there were archives begins with the oldest payment. */
const begin: Statement = {
  name: 'begin_archive_stretch',
  text: `
    select h.through_at::text from history_trims h where h.name = 'payments' for update`,
};

/** The next payments in the order of their last change: whoever is looked at once is looked at again after a change. */
const stretch: Statement = {
  name: 'find_archive_stretch',
  text: `
    select max(s.updated_at)::text as through_at, count(*)::int as payments from (
      select p.updated_at from payments p
      where p.updated_at > $1::timestamptz and p.updated_at < $2
      order by p.updated_at limit $3
    ) s`,
};

const keep: Statement = {
  name: 'keep_archive_stretch',
  text: `update history_trims set through_at = $1::timestamptz where name = 'payments'`,
};

/**
 * What is packed of the payments of a stretch that nothing can come of any more. One that somebody holds is being
 * changed, and is looked at again as one that was changed later; so is what an open incident or a webhook changes.
 */
const read: Statement = {
  name: 'read_payments_to_archive',
  text: `
    with held as materialized (
      select * from (
        select p.merchant_id, p.invoice_id, p.created_at, p.updated_at, p.decision, p.first_decline
        from payments p
        where p.updated_at > $1::timestamptz and p.updated_at <= $2::timestamptz
          and p.archived_at is null and p.state in ('recovered', 'stopped', 'exhausted')
          and p.frozen_at is null and p.set_aside_at is null ${unlessMoved('p')}
        for update skip locked
      ) locked offset 0
    )
    select p.merchant_id, p.invoice_id, ${monthOf('p')}::text as month, ${packedText} as packed,
           e.ids as event_ids, e.last_sequence::text,
           utc_day(greatest(p.updated_at, e.last_at))::text as last_day
    from held p
    cross join lateral (
      select coalesce(array_agg(o.event_id order by o.sequence), '{}') as ids, coalesce(max(o.sequence), 0) as last_sequence,
             max(o.created_at) as last_at
      from events o where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id
    ) e
    where not exists (
        select from attempts a
        where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
          and (a.contradicts or a.state in ('checking', 'charging', 'unknown'))
        offset 0)
      and not exists (
        select from psp_transactions t
        where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
          and (t.contradicts or t.state in ('sending', 'unknown'))
        offset 0)
      and not exists (
        select from incidents i where i.merchant_id = p.merchant_id and i.invoice_id = p.invoice_id
        offset 0)
      and not exists (
        select from message_threads m
        where m.merchant_id = p.merchant_id and m.invoice_id = p.invoice_id and m.next_look_at is not null
        offset 0)
      and not exists (
        select from events o join deliveries d using (merchant_id, event_id)
        where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id and d.state = 'pending'
        offset 0)
      and not exists (
        select from events o join endpoint_deliveries d using (merchant_id, event_id)
        where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id and d.state = 'pending'
        offset 0)`,
};

interface ReadRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly month: string;
  readonly packed: string;
  readonly event_ids: readonly string[];
  readonly last_sequence: string;
  readonly last_day: string;
}

const makeMonth: Statement = { name: 'make_archive_month', text: 'select make_archive_month($1)' };

const insert: Statement = {
  name: 'insert_archived_payments',
  text: `
    insert into archived_payments (merchant_id, invoice_id, month, ids, packed)
    select w.merchant_id, w.invoice_id, w.month,
           array(select hashtextextended(i.id, 0) from unnest(string_to_array(w.ids, ' ')) as i (id)), w.packed
    from unnest($1::text[], $2::text[], $3::date[], $4::text[], $5::bytea[])
      as w (merchant_id, invoice_id, month, ids, packed)`,
};

const removals: readonly Statement[] = packedTables.toReversed().map((table) => ({
  name: `pack_${table}`,
  text: `
    delete from ${table}
    where (merchant_id, event_id) in (select * from unnest($1::text[], $2::text[]))`,
}));

const wanted = `(select * from unnest($1::text[], $2::text[]))`;

const slimPayments: Statement = {
  name: 'slim_archived_payments',
  text: `
    update payments
    set archived_at = $3, decision = ${slim.decisionOfPayment('decision')}, first_decline = ${slim.decline('first_decline')}
    where (merchant_id, invoice_id) in ${wanted}`,
};

const slimAttempts: Statement = {
  name: 'slim_archived_attempts',
  text: `
    update attempts
    set decision = ${slim.decisionOfAttempt('decision')}, check_answer = ${slim.check('check_answer')},
        blocked_charges = null
    where (merchant_id, invoice_id) in ${wanted}`,
};

const slimCharges: Statement = {
  name: 'slim_archived_charges',
  text: `
    update psp_transactions
    set decline = ${slim.decline('decline')}
    where decline is not null and (merchant_id, attempt_id) in (
      select merchant_id, attempt_id from attempts where (merchant_id, invoice_id) in ${wanted})`,
};

const note: Statement = {
  name: 'note_archived_through',
  text: `
    insert into archive_progress as a (merchant_id, through_day, through_sequence)
    select w.merchant_id, max(w.day), max(w.sequence)
    from unnest($1::text[], $2::date[], $3::bigint[]) as w (merchant_id, day, sequence) group by 1
    on conflict (merchant_id) do update
    set through_day = greatest(a.through_day, excluded.through_day),
        through_sequence = greatest(a.through_sequence, excluded.through_sequence)`,
};

/**
 * Looks at the next payments that were changed before `before`, and moves those into the archive that have ended; how
 * many it has looked at.
 */
export async function archivePayments(
  db: Database,
  { before, at }: { readonly before: Date; readonly at: Date },
): Promise<number> {
  return db.transaction(async (tx) => {
    const [progress] = await tx.query<{ through_at: string }>(begin, []);
    const from = progress?.through_at ?? '-infinity';
    const [next] = await tx.query<{ through_at: string | null; payments: number }>(stretch, [
      from,
      before,
      maxPayments,
    ]);
    if (next === undefined || next.through_at === null) return 0;
    const rows = await tx.query<ReadRow>(read, [from, next.through_at]);
    if (rows.length > 0) await pack(tx, rows, at);
    await tx.query(keep, [next.through_at]);
    return next.payments;
  });
}

async function pack(tx: Queryable, rows: readonly ReadRow[], at: Date): Promise<void> {
  await tx.query(packingBegins, []);
  for (const month of new Set(rows.map((row) => row.month))) await tx.query(makeMonth, [month]);
  const merchants = rows.map((row) => row.merchant_id);
  const invoices = rows.map((row) => row.invoice_id);
  await tx.query(insert, [
    merchants,
    invoices,
    rows.map((row) => row.month),
    rows.map((row) => row.event_ids.join(' ')),
    rows.map((row) => compress(row.packed)),
  ]);
  const events = rows.flatMap((row) => row.event_ids.map((id) => [row.merchant_id, id] as const));
  const eventKeys = [events.map(([merchant]) => merchant), events.map(([, id]) => id)];
  for (const removal of removals) await tx.query(removal, eventKeys);
  await tx.query(slimCharges, [merchants, invoices]);
  await tx.query(slimAttempts, [merchants, invoices]);
  await tx.query(slimPayments, [merchants, invoices, at]);
  await tx.query(note, [
    merchants,
    rows.map((row) => row.last_day),
    rows.map((row) => row.last_sequence),
  ]);
}
