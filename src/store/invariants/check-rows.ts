import { archivedThrough } from '../archive/archived-through.ts';
import type { Queryable, Statement } from '../database.ts';

/** One page of rows: how many breaches, and where the last row stands. */
interface RowPage {
  readonly rows: number;
  readonly breaches: number;
  readonly last: readonly [string, string] | undefined;
}

interface RowPageRow {
  readonly rows: number;
  readonly breaches: number;
  readonly last_merchant: string | null;
  readonly last_key: string | null;
}

/** Places in cards' histories that no charge of ours stands for. */
const cards: Statement = {
  name: 'check_card_page',
  text: `
    with page as materialized (
      select merchant_id, charge_ref, origin from card_attempts
      where (merchant_id, charge_ref) > ($1, $2)
      order by merchant_id, charge_ref limit $3
    )
    select (select count(*)::int from page) as rows,
           (select count(*)::int from page c
            where c.origin = 'own' and not exists (
              select from psp_transactions t
              where t.merchant_id = c.merchant_id and t.idempotency_key = c.charge_ref
                and t.state <> 'not_made')) as breaches,
           l.merchant_id as last_merchant, l.charge_ref as last_key
    from (select) one
    left join lateral (
      select * from page order by merchant_id desc, charge_ref desc limit 1
    ) l on true`,
};

/**
 * Numbers that are left out before each event, events that no counter counts, and what a counter is
 * ahead of the last event. The first event of a merchant may have any number: older ones may be gone. Up to
 * the last one that is in the archive, any may be missing.
 */
const sequences: Statement = {
  name: 'check_sequence_page',
  text: `
    with page as materialized (
      select e.merchant_id, e.sequence from events e
      where (e.merchant_id, e.sequence) > ($1, $2::bigint)
      order by e.merchant_id, e.sequence limit $3
    ),
    numbered as (
      select p.merchant_id, p.sequence, c.last_sequence, coalesce(a.through_sequence, 0) as archived,
             coalesce(lag(p.sequence) over w,
                      case when p.merchant_id = $1 then $2::bigint
                           else coalesce(a.through_sequence, p.sequence - 1) end) as before,
             lead(p.sequence) over w is null and not exists (
               select from events n where n.merchant_id = p.merchant_id and n.sequence > p.sequence
             ) as is_last
      from page p left join event_counters c using (merchant_id)
      left join archive_progress a using (merchant_id)
      window w as (partition by p.merchant_id order by p.sequence)
    )
    select (select count(*)::int from page) as rows,
           (select coalesce(sum(greatest(sequence - greatest(before, archived) - 1, 0)
                                + case when last_sequence is null then 1 else 0 end
                                + case when is_last then abs(coalesce(last_sequence, sequence)
                                                             - greatest(sequence, archived))
                                       else 0 end), 0)::int from numbered) as breaches,
           l.merchant_id as last_merchant, l.sequence::text as last_key
    from (select) one
    left join lateral (
      select * from page order by merchant_id desc, sequence desc limit 1
    ) l on true`,
};

/** Counters of merchants that have no event at all. */
const idleCounters: Statement = {
  name: 'check_idle_counters',
  text: `
    select count(*)::int as breaches from event_counters c
    where c.last_sequence > ${archivedThrough('c.merchant_id')}
      and not exists (select from events e where e.merchant_id = c.merchant_id)`,
};

interface PageInput {
  readonly after: readonly [string, string];
  readonly limit: number;
}

/**
 * Events of no invoice among a page's: those without a delivery, and what they give to the control totals
 * of days that are over, which no page of invoices counts.
 */
const loose: Statement = {
  name: 'check_events_without_invoice',
  text: `
    with page as materialized (
      select e.merchant_id, e.event_id, e.invoice_id, e.created_at from events e
      where (e.merchant_id, e.sequence) > ($1, $2::bigint)
      order by e.merchant_id, e.sequence limit $3
    ),
    loose as (
      select e.merchant_id, e.created_at, d.event_id, d.state, d.created_at as queued_at,
             (d.state = 'pending' and d.set_aside_at is null) = (d.next_attempt_at is not null) as is_kept
      from page e left join deliveries d using (merchant_id, event_id)
      where e.invoice_id is null
    ),
    facts as (
      select merchant_id, utc_day(created_at) as day, 'created' as kind from loose
      union all
      select merchant_id, utc_day(queued_at), state from loose where event_id is not null
    ),
    counted as (
      insert into control_recounts as c
        (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
      select merchant_id, day, '', 0, '', kind, count(*), 0
      from facts where day < $4::date group by 1, 2, 6
      on conflict (merchant_id, day, psp, connection_version, currency, kind) do update
      set items = c.items + excluded.items
    )
    select (count(*) filter (where event_id is null or not is_kept))::int as breaches from loose`,
};

export function checkCards(tx: Queryable, input: PageInput): Promise<RowPage> {
  return page(tx, cards, input);
}

/** `undelivered`: of the events of no invoice among them. */
export async function checkSequences(
  tx: Queryable,
  input: PageInput & { readonly closedBefore: string },
): Promise<RowPage & { readonly undelivered: number }> {
  const { after, limit, closedBefore } = input;
  const [events] = await tx.query<{ breaches: number }>(loose, [...after, limit, closedBefore]);
  const found = { ...(await page(tx, sequences, input)), undelivered: events?.breaches ?? 0 };
  if (found.last !== undefined) return found;
  const [idle] = await tx.query<{ breaches: number }>(idleCounters, []);
  return { ...found, breaches: found.breaches + (idle?.breaches ?? 0) };
}

async function page(tx: Queryable, statement: Statement, input: PageInput): Promise<RowPage> {
  const { after, limit } = input;
  const [row] = await tx.query<RowPageRow>(statement, [...after, limit]);
  if (row === undefined) return { rows: 0, breaches: 0, last: undefined };
  const { rows, breaches, last_merchant: merchantId, last_key: key } = row;
  const isWhole = rows === limit && merchantId !== null && key !== null;
  return { rows, breaches, last: isWhole ? [merchantId, key] : undefined };
}
