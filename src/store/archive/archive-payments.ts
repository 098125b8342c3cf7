import type { Database, Queryable, Statement } from '../database.ts';
import { compress } from './compress.ts';
import { countReplayed } from './count-replayed.ts';
import { numberOfId } from './packed-ids.ts';
import { packedTables, slim } from './packed-rows.ts';
import { packingBegins } from './packing.ts';
import {
  hasUnpacked,
  holdPayments,
  holdRestingPayments,
  type PackedPayment,
  type PaymentKey,
  readPacked,
} from './read-packed.ts';
import { restorePayment } from './restore-payment.ts';

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

/**
 * How far a stretch goes at most: payments of a merchant on the way to another cell may not be written, and have their
 * turn when it is here or there, which takes the place over. Those of one that has left are copies.
 */
const way: Statement = {
  name: 'find_archive_stretch_on_its_way',
  text: `
    select (min(p.updated_at) - interval '1 microsecond')::text as through_at
    from payments p
    join merchant_moves v on v.merchant_id = p.merchant_id and v.state not in ('moved', 'cleared')
    where p.updated_at > $1::timestamptz and p.updated_at <= $2::timestamptz
      and ${hasUnpacked}`,
};

const keep: Statement = {
  name: 'keep_archive_stretch',
  text: `
    insert into history_trims (name, through_at) values ('payments', $1::timestamptz)
    on conflict (name) do update set through_at = excluded.through_at`,
};

const makeMonth: Statement = { name: 'make_archive_month', text: 'select make_archive_month($1)' };

const insert: Statement = {
  name: 'insert_archived_payments',
  text: `
    insert into archived_payments (merchant_id, invoice_id, month, ids, packed)
    select w.merchant_id, w.invoice_id, w.month,
           array(select ${numberOfId('i.id')} from unnest(string_to_array(w.ids, ' ')) as i (id)), w.packed
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
    set archived_at = $3, rests_since = null, decision = ${slim.decisionOfPayment('decision')}, first_decline = ${slim.decline('first_decline')}
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
    set decline = ${slim.decline('decline')}, check_answer = ${slim.check('check_answer')},
        attempt_decision = ${slim.decisionOfAttempt('attempt_decision')}
    where (decline is not null or attempt_number is not null) and (merchant_id, attempt_id) in (
      select merchant_id, attempt_id from recorded_attempts where (merchant_id, invoice_id) in ${wanted})`,
};

/** Never before the end of what is looked at: in one run each is looked at once. */
const leave: Statement = {
  name: 'leave_payments_to_rest',
  text: `
    update payments set rests_since = greatest($3::timestamptz, $4::timestamptz)
    where (merchant_id, invoice_id) in ${wanted}`,
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

interface Step {
  readonly before: Date;
  readonly at: Date;
}

/**
 * Looks at the next payments that were changed before `before`, then at those that rest since then, and moves those
 * into the archive that have ended; how many it has looked at.
 */
export async function archivePayments(db: Database, step: Step): Promise<number> {
  return db.transaction(async (tx) => {
    const [progress] = await tx.query<{ through_at: string }>(begin, []);
    const from = progress?.through_at ?? '-infinity';
    const [next] = await tx.query<{ through_at: string | null; payments: number }>(stretch, [
      from,
      step.before,
      maxPayments,
    ]);
    if (next === undefined || next.through_at === null) return archiveResting(tx, step);
    const [onItsWay] = await tx.query<{ through_at: string | null }>(way, [from, next.through_at]);
    const end = onItsWay?.through_at ?? undefined;
    const through = end ?? next.through_at;
    const held = await holdPayments(tx, { after: from, through });
    await packOrLeave(tx, held, step);
    await tx.query(keep, [through]);
    return end === undefined ? next.payments : held.length + (await archiveResting(tx, step));
  });
}

async function archiveResting(tx: Queryable, step: Step): Promise<number> {
  const held = await holdRestingPayments(tx, { before: step.before, limit: maxPayments });
  await packOrLeave(tx, held, step);
  return held.length;
}

/** What something may come of still is looked at again when it has rested as long once more. */
async function packOrLeave(tx: Queryable, held: readonly PaymentKey[], step: Step): Promise<void> {
  const { before, at } = step;
  const rows = await readWhole(tx, held, step);
  if (rows.length > 0) await pack(tx, rows, at);
  const packed = new Set(rows.map(nameOf));
  const left = held.filter((payment) => !packed.has(nameOf(payment)));
  if (left.length === 0) return;
  const keys = [left.map((row) => row.merchant_id), left.map((row) => row.invoice_id)];
  await tx.query(leave, [...keys, at, before]);
}

/** Of one that has a later webhook, what is packed is put back first, so that all of it is packed as one. */
async function readWhole(
  tx: Queryable,
  held: readonly PaymentKey[],
  { before, at }: Step,
): Promise<readonly PackedPayment[]> {
  const rows = await readPacked(tx, { held, before });
  const again = rows.filter((row) => row.is_archived);
  for (const { merchant_id: merchantId, invoice_id: invoiceId } of again) {
    await restorePayment(tx, { merchantId, invoiceId, at });
  }
  const whole = await readPacked(tx, { held: again, before });
  return [...rows.filter((row) => !row.is_archived), ...whole];
}

const nameOf = (of: PaymentKey): string => `${of.merchant_id}/${of.invoice_id}`;

async function pack(tx: Queryable, rows: readonly PackedPayment[], at: Date): Promise<void> {
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
  await countReplayed(tx, rows);
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
