/**
 * SQL that adds a part of a statement to the totals. A fact of a day whose statement was made already
 * stands in the next one, whoever finds it.
 */
export function addToTotals(part: string): string {
  return `
      insert into control_totals as c (merchant_id, day, psp, connection_version, currency, kind,
        stated_on, items, amount_minor)
      select s.merchant_id, s.day, s.psp, s.connection_version, s.currency, s.kind,
             greatest(s.day, d.next_day), s.items, s.amount_minor
      from ${part} s
      left join lateral (
        select day + 1 as next_day from statements
        where merchant_id = s.merchant_id order by day desc limit 1
      ) d on true
      on conflict (merchant_id, day, psp, connection_version, currency, kind, stated_on) do update
      set items = c.items + excluded.items, amount_minor = c.amount_minor + excluded.amount_minor`;
}
