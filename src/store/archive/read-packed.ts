import type { Queryable, Statement } from '../database.ts';
import { unlessMoved } from '../moving/unless-moved.ts';
import { monthOf, packedText } from './packed-rows.ts';

/**
 * Of a payment `p` that has ended: whether the archive has something to take of it. Of one that it has already that is
 * the webhook of an incident that was found since.
 */
export const hasUnpacked = `p.state in ('recovered', 'stopped', 'exhausted') and (p.archived_at is null or exists (
        select from events o where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id
        offset 0))`;

/** Of a payment `p`: whether it has ended, and nothing of its own row stands against the archive. */
const hasEnded = `${hasUnpacked}
      and p.frozen_at is null and p.set_aside_at is null ${unlessMoved('p')}`;

/** Those that somebody holds are being changed, and are looked at again as what was changed later. */
const hold: Statement = {
  name: 'hold_payments_to_archive',
  text: `
    select p.merchant_id, p.invoice_id from payments p
    where p.updated_at > $1::timestamptz and p.updated_at <= $2::timestamptz and ${hasEnded}
    for update skip locked`,
};

/** Those that somebody holds are looked at again by the next run. */
const holdResting: Statement = {
  name: 'hold_resting_payments',
  text: `
    select p.merchant_id, p.invoice_id from payments p
    where p.rests_since < $1 and p.updated_at < $1 and ${hasEnded}
    order by p.rests_since limit $2
    for update skip locked`,
};

/**
 * Whoever sends a webhook again holds its delivery alone. In the order in which batches of sends that are recorded hold
 * theirs: among these are deliveries that are under way.
 */
const holdDeliveries: readonly Statement[] = (
  [
    { table: 'deliveries', key: 'd.merchant_id, d.event_id' },
    { table: 'endpoint_deliveries', key: 'd.merchant_id, d.event_id, d.endpoint_id' },
  ] as const
).map(({ table, key }) => ({
  name: `hold_${table}_to_archive`,
  text: `
      select 1 from ${table} d
      where (d.merchant_id, d.event_id) in (
        select e.merchant_id, e.event_id from unnest($1::text[], $2::text[]) as w (merchant_id, invoice_id)
        cross join lateral (
          select o.merchant_id, o.event_id from events o
          where o.merchant_id = w.merchant_id and o.invoice_id = w.invoice_id offset 0) e)
      order by ${key}
      for update of d`,
}));

/** Of a payment `p`: whether there is a row of its webhooks in a table, of which a condition on `d` holds. */
const hasDelivery = (table: string, condition: string): string => `exists (
        select from events o join ${table} d using (merchant_id, event_id)
        where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id and ${condition}
        offset 0)`;
/**
 * Of payment `p`, what its deliveries in a table give to replays, a row of each. Looked up one by one: an index that has
 * nothing but deliveries of replays would be read whole for each payment.
 */
const replayedIn = (table: string): string => `
        select d.replay_id, d.state from (
          select o.merchant_id, o.event_id from events o
          where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id offset 0) o
        cross join lateral (
          select t.replay_id, t.state from ${table} t
          where t.merchant_id = o.merchant_id and t.event_id = o.event_id offset 0) d
        where d.replay_id is not null`;
/** Not over, or sent again of late: what asked for that still counts it. */
const isBusy = `(d.state = 'pending' or d.last_sent_at >= $3)`;

/** Of those that are held, the payments that nothing can come of any more, with what is packed of them. */
const read: Statement = {
  name: 'read_payments_to_archive',
  text: `
    select p.merchant_id, p.invoice_id, ${monthOf('p')}::text as month, ${packedText} as packed,
           e.ids as event_ids, e.last_sequence::text,
           utc_day(greatest(p.updated_at, e.last_at))::text as last_day,
           p.archived_at is not null as is_archived,
           coalesce((select json_agg(r) from (
             ${replayedIn('deliveries')} union all ${replayedIn('endpoint_deliveries')}) r), '[]') as replayed
    from unnest($1::text[], $2::text[]) as w (merchant_id, invoice_id)
    join payments p on p.merchant_id = w.merchant_id and p.invoice_id = w.invoice_id
    cross join lateral (
      select coalesce(array_agg(o.event_id order by o.sequence), '{}') as ids,
             coalesce(max(o.sequence), 0) as last_sequence, max(o.created_at) as last_at
      from events o where o.merchant_id = p.merchant_id and o.invoice_id = p.invoice_id
    ) e
    -- The event log begins after the last one: a late one would take all before it along.
    where coalesce(e.last_at, '-infinity') < $3
      and not exists (
        select from attempts a
        where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id
          and (a.contradicts or a.state in ('checking', 'charging', 'unknown'))
        offset 0)
      and not exists (
        select from psp_transactions t
        where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id and t.contradicts
        offset 0)
      and not exists (
        select from psp_transactions t
        where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
          and t.state in ('sending', 'unknown')
        offset 0)
      and not exists (
        select from incidents i
        where i.merchant_id = p.merchant_id and i.invoice_id = p.invoice_id and i.state in ('open', 'refunding')
        offset 0)
      and not exists (
        select from message_threads m
        where m.merchant_id = p.merchant_id and m.invoice_id = p.invoice_id and m.next_look_at is not null
        offset 0)
      and not ${hasDelivery('deliveries', isBusy)}
      and not ${hasDelivery('endpoint_deliveries', isBusy)}`,
};

export interface PaymentKey {
  readonly merchant_id: string;
  readonly invoice_id: string;
}

export interface PackedPayment extends PaymentKey {
  /** The first day of the month that it is packed in. */
  readonly month: string;
  readonly packed: string;
  /** What is packed of it now is a later part, without what the archive has of it already. */
  readonly is_archived: boolean;
  readonly event_ids: readonly string[];
  readonly last_sequence: string;
  /** The last day, in UTC, on which something of it may be counted. */
  readonly last_day: string;
  /** Of its deliveries, those of replays. */
  readonly replayed: readonly ReplayedDelivery[];
}

export interface ReplayedDelivery {
  readonly replay_id: string;
  readonly state: 'delivered' | 'exhausted';
}

/** Payments that ended, and were last changed within a stretch: until the transaction ends nobody changes them. */
export async function holdPayments(
  tx: Queryable,
  { after, through }: { readonly after: string; readonly through: string },
): Promise<readonly PaymentKey[]> {
  return tx.query<PaymentKey>(hold, [after, through]);
}

/** Payments that were put back, or left where they are, and have rested since: the same. */
export async function holdRestingPayments(
  tx: Queryable,
  { before, limit }: { readonly before: Date; readonly limit: number },
): Promise<readonly PaymentKey[]> {
  return tx.query<PaymentKey>(holdResting, [before, limit]);
}

/** What is packed of those that nothing can come of any more, and of which no webhook was made or sent since `before`. */
export async function readPacked(
  tx: Queryable,
  { held, before }: { readonly held: readonly PaymentKey[]; readonly before: Date },
): Promise<readonly PackedPayment[]> {
  if (held.length === 0) return [];
  const keys = [held.map((row) => row.merchant_id), held.map((row) => row.invoice_id)];
  for (const statement of holdDeliveries) await tx.query(statement, keys);
  return tx.query<PackedPayment>(read, [...keys, before]);
}
