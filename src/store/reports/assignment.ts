/**
 * SQL of the arm that a payment belongs to, for an alias of payments: the one place where stored
 * decisions are read for it. `arm` of a decision record is `learned`, `explore` (a time by chance, of
 * the learned arm), `holdout` or `fallback`; records of manual retries, of refusals by a network and
 * from before the first model have none. A payment's split never changes, so any decision that names
 * it is right: the present one, else those of its attempts. One that was on the fallback schedule
 * and nothing else is of neither arm.
 */
export function armOf(payment: string): string {
  const said = `${payment}.decision ->> 'arm'`;
  return `case
    when ${said} in ('learned', 'explore') then 'learned'
    when ${said} = 'holdout' then 'holdout'
    else coalesce(
      (select case when a.decision ->> 'arm' = 'holdout' then 'holdout' else 'learned' end
       from attempts a
       where a.merchant_id = ${payment}.merchant_id and a.invoice_id = ${payment}.invoice_id
         and a.decision ->> 'arm' in ('learned', 'explore', 'holdout')
       order by a.number
       limit 1),
      case when ${said} = 'fallback' then 'fallback' else 'none' end)
  end`;
}
