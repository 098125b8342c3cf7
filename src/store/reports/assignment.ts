/**
 * SQL of the arm that a payment belongs to, for an alias of payments: the one place where stored
 * decisions are read for it. It is that of the payment's first decision which gave it one, and each
 * later one carries it on as `payment_arm`: what the payment was planned by since, as the model's share grew
 * or shrank, depends on how its tries went. Records from before that have the arm of their own try alone, which is
 * `learned`, `explore` (a time by chance, of the learned arm), `holdout` or `fallback`: there it is that of the first
 * attempt which has one, else of the present decision. One that was on the fallback schedule and nothing else is of
 * neither arm.
 */
export function armOf(payment: string): string {
  const said = `${payment}.decision ->> 'arm'`;
  return `coalesce(
    ${payment}.decision ->> 'payment_arm',
    (select case when a.decision ->> 'arm' = 'holdout' then 'holdout' else 'learned' end
     from recorded_attempts a
     where a.merchant_id = ${payment}.merchant_id and a.invoice_id = ${payment}.invoice_id
       and a.decision ->> 'arm' in ('learned', 'explore', 'holdout')
     order by a.number
     limit 1),
    case when ${said} in ('learned', 'explore') then 'learned'
         when ${said} in ('holdout', 'fallback') then ${said}
         else 'none' end)`;
}
