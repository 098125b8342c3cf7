/**
 * Parts of a statement that add another part of it to the totals. A fact of a day whose statement was made already
 * stands in the next one, whoever finds it. What an insert takes is read in a part of its own: Citus makes a text without
 * sense of one that reads a table and what other parts found.
 */
export function addToTotals(part: string): string {
  return `dated as materialized (
      select s.*, greatest(s.day, d.next_day) as stated_on
      from ${part} s
      left join lateral (
        select day + 1 as next_day from statements
        where merchant_id = s.merchant_id order by day desc limit 1
      ) d on true
    ),
    added as (
      insert into control_totals as c (merchant_id, day, psp, connection_version, currency, kind,
        stated_on, items, amount_minor)
      select merchant_id, day, psp, connection_version, currency, kind, stated_on, items, amount_minor
      from dated
      on conflict (merchant_id, day, psp, connection_version, currency, kind, stated_on) do update
      set items = c.items + excluded.items, amount_minor = c.amount_minor + excluded.amount_minor
    )`;
}
