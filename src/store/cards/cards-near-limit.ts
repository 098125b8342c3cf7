import { monthlyLimitDays, monthlyLimits } from '../../domain/network-rules/monthly-limits.ts';

/** From this share of a limit on a card is near it, in percent. */
const nearPercent = 50;

/**
 * Cards near a network's limit: those whose charges of the last 30 days, approved ones left out, are
 * half or more of what it allows. Visa counts by credential and by who began the charge, the others by
 * the card alone. `$1` merchant or null, `$2` the end of the 30 days, `$3` the limits as
 * `limitsJson` gives them; `more` adds columns, each an aggregate over alias `a`.
 */
export const cardsNearLimit = (more = ''): string => `
  select * from (
    select a.merchant_id, a.card_key, a.acceptor, a.network, l.most,
           case when l.first_free then a.initiator || ' ' || a.credential else '' end as counter,
           (count(*) - case when l.first_free then 1 else 0 end)::int as tries${more}
    from card_attempts a
    join jsonb_to_recordset($3::jsonb) as l (network text, most int, first_free boolean)
      on l.network = a.network
    where a.at > $2::timestamptz - interval '${monthlyLimitDays} days' and a.at <= $2
      and a.outcome <> 'approved' and ($1::text is null or a.merchant_id = $1)
    group by 1, 2, 3, 4, 5, 6, l.first_free
  ) counted
  where tries * 100 >= most * ${nearPercent}`;

/** The limits in force, for `$3` of `cardsNearLimit`. */
export function limitsJson(at: Date): string {
  return JSON.stringify(
    monthlyLimits(at).map(({ network, most, isFirstFree }) => ({
      network,
      most,
      first_free: isFirstFree,
    })),
  );
}
