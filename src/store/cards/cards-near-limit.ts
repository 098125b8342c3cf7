import { monthlyLimitDays, monthlyLimits } from '../../domain/network-rules/monthly-limits.ts';

/** From this share of a limit on a card is near it, in percent. */
const nearPercent = 50;

const limits = `
  limits as materialized (
    select * from jsonb_to_recordset($3::jsonb) as l (network text, most int, first_free boolean)
  )`;

/** What tells two limits of one card apart, for alias `a` of card_histories. */
const counterOf = `
  case when a.network = any (array(select network from limits where first_free))
       then a.initiator || ' ' || a.credential else '' end`;

/** What counts towards a limit, for alias `a`. */
const counts = `
  a.at > $2::timestamptz - interval '${monthlyLimitDays} days' and a.at <= $2
  and a.outcome <> 'approved'`;

/**
 * The common table expressions that end in `busy`: every card with enough charges for any limit, whatever
 * else these are. Two columns are hashed for it, where telling all counters apart would sort every charge of the month. `$2` the end of
 * the 30 days, `$3` the limits as `limitsJson` gives them.
 */
export const busyCards = `
  ${limits},
  busy as materialized (
    select a.merchant_id, a.card_key
    from card_histories a
    where ${counts} and ($1::text[] is null or a.merchant_id = any($1))
    group by 1, 2
    having count(*) * 100 >= (select min(most) from limits) * ${nearPercent}
  )`;

/**
 * The same from the cards that were busy at the last count and those charged since then, the time that
 * transactions may take to commit included: no others can have become so.
 */
export const busyCardsSince = `
  ${limits},
  busy as materialized (
    select merchant_id, card_key from busy_cards
    where $1::text[] is null or merchant_id = any($1)
    union
    select a.merchant_id, a.card_key
    from card_histories a
    where ${counts} and ($1::text[] is null or a.merchant_id = any($1))
      and a.at > (select through_at - interval '2 minutes' from rollup_progress
                  where name = 'card_limits')
  )`;

/**
 * Those that follow `busy` and end in `near`: cards near a network's limit, those whose charges of the
 * last 30 days, approved ones left out, are half or more of what it allows. Visa counts by credential
 * and by who began the charge, the others by the card alone. Each busy card is looked at by its index.
 */
export const cardsNearLimit = `
  counted as (
    select b.merchant_id, b.card_key, c.*
    from busy b
    cross join lateral (
      select a.acceptor, a.network, ${counterOf} as counter, count(*) as charges
      from card_histories a
      where a.merchant_id = b.merchant_id and a.card_key = b.card_key and ${counts}
      group by 1, 2, 3
    ) c
  ),
  near as (
    select c.merchant_id, c.card_key, c.acceptor, c.network, c.counter, l.most,
           (c.charges - case when l.first_free then 1 else 0 end)::int as tries
    from counted c join limits l using (network)
    where (c.charges - case when l.first_free then 1 else 0 end) * 100 >= l.most * ${nearPercent}
  )`;

/** The charges that count for the row `n` of `near`, as alias `a`: an index look at one card. */
export const chargesNear = `
  card_histories a
  where a.merchant_id = n.merchant_id and a.card_key = n.card_key and a.acceptor = n.acceptor
    and a.network = n.network and ${counterOf} = n.counter and ${counts}`;

/** The limits in force, for `$3` of these. */
export function limitsJson(at: Date): string {
  return JSON.stringify(
    monthlyLimits(at).map(({ network, most, isFirstFree }) => ({
      network,
      most,
      first_free: isFirstFree,
    })),
  );
}
