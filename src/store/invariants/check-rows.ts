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
 * ahead of the last event. The first event of a merchant may have any number: older ones may be gone.
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
      select p.merchant_id, p.sequence, c.last_sequence,
             coalesce(lag(p.sequence) over w,
                      case when p.merchant_id = $1 then $2::bigint else p.sequence - 1 end) as before,
             lead(p.sequence) over w is null and not exists (
               select from events n where n.merchant_id = p.merchant_id and n.sequence > p.sequence
             ) as is_last
      from page p left join event_counters c using (merchant_id)
      window w as (partition by p.merchant_id order by p.sequence)
    )
    select (select count(*)::int from page) as rows,
           (select coalesce(sum(sequence - before - 1
                                + case when last_sequence is null then 1 else 0 end
                                + case when is_last then abs(coalesce(last_sequence, sequence) - sequence)
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
    where c.last_sequence > 0
      and not exists (select from events e where e.merchant_id = c.merchant_id)`,
};

interface PageInput {
  readonly after: readonly [string, string];
  readonly limit: number;
}

export function checkCards(tx: Queryable, input: PageInput): Promise<RowPage> {
  return page(tx, cards, input);
}

export async function checkSequences(tx: Queryable, input: PageInput): Promise<RowPage> {
  const found = await page(tx, sequences, input);
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
