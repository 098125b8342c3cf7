import type { Database } from '../../../src/store/database.ts';

/** How many payments the first merchant has; the second has a third of them. */
const ofFirst = 1_200;
/** Days before now in which they failed. */
const days = 60;

/**
 * What each row is made of: `$1` the two merchants, `$2` the present time of the service. A customer has
 * a handful of invoices; of each ninth the card has expired, so that only the customer can help.
 */
const seed = `
  create temporary table seed as
  with drawn as (
    select m, n, merchants[m] as merchant_id, $2::timestamptz as now,
      (n * 37) % 240 as c,
      date_trunc('minute', $2::timestamptz - interval '3 hours'
        - (count - n) * interval '${days} days' / count) as at
    from (select $1::text[] as merchants) given,
      (values (1, ${ofFirst}), (2, ${ofFirst / 3})) as of (m, count),
      generate_series(1, count) n
  )
  select *, 'in_' || m || lpad(n::text, 5, '0') as invoice_id, 'cus_' || m || lpad(c::text, 4, '0') as customer_id,
    'pm_' || m || lpad(c::text, 4, '0') as method_id, 1 + (n * 7 / 3) % 4 as tries,
    900 + (n * 7919) % 14000 as amount_minor,
    case when n % 11 = 0 then 'EUR' else 'USD' end as currency,
    case when c % 10 < 6 then 'visa' when c % 10 < 9 then 'mastercard' else 'amex' end as network,
    case when m = 2 then null when n % 8 = 0 then 'holdout' when n % 40 = 3 then 'explore' else 'learned' end as arm,
    (n * 31 / 7) % 12 as luck, n % 9 = 4 as is_hard,
    (array['51', '05', '91', '65', '61'])[1 + n % 5] as code
  from drawn`;

/** When the try of a number was made. */
function triedAt(number: string): string {
  return `date_trunc('hour', at + ${number} * interval '2 days') + interval '9 minutes' * (n % 5)`;
}

const ended = `
  create temporary table planned as
  select *, ended_at + interval '1 second' as recovered_at from (
  select *, ${triedAt('done')} as ended_at from (
  select *, case when is_hard then 0 else least(tries, floor(extract(epoch from now - at) / 172800))::int end as done,
    case when is_hard and now - at > interval '28 days' then 'exhausted'
      when is_hard then 'scheduled'
      when now - at < make_interval(days => 2 * tries + 1) then 'scheduled'
      when n % 97 = 5 then 'stopped'
      when luck < case when arm = 'holdout' then 5 when m = 2 then 5 else 7 end then 'recovered'
      when now - at > interval '28 days' then 'exhausted' else 'scheduled' end as state
  from seed) s) e`;

const decision = (at: string) => `
  jsonb_build_object('kind', 'attempt', 'because', 'the hour with the best chance', 'policy',
    case when m = 1 then 'learned' else 'fixed' end, 'policy_version', '2', 'arm', arm,
    'decided_at', greatest(${at} - interval '2 days', at), 'at', ${at}, 'methods', array[method_id],
    'chance', 0.31, 'bounded_by', '[]'::jsonb,
    'leading', jsonb_build_array(jsonb_build_object('feature', 'friday', 'words', 'a Friday before ten',
      'value', 1, 'effect', 0.12)),
    'candidates', jsonb_build_array(jsonb_build_object('at', ${at}, 'score', 0.31),
      jsonb_build_object('at', ${at} + interval '3 days', 'score', 0.19)))`;

const waiting = `
  jsonb_build_object('kind', 'wait_for_update', 'because', 'the card has expired', 'policy',
    'fixed', 'policy_version', '1', 'decided_at', at, 'until', at + interval '28 days', 'bounded_by', '[]'::jsonb)`;

const nextAt = `greatest(at + (done + 1) * interval '2 days', now + (1 + n % 70) * interval '1 hour')`;

/** What a payment was decided last: of one that has ended the try that it had. */
const decidedAt = `case when state = 'scheduled' then ${nextAt} else ended_at end`;

/** A webhook that is not accepted is sent again every twelve hours. */
function sentAt(number: string): string {
  return `tried_at + interval '2 seconds' + (${number} - 1) * interval '12 hours'`;
}

/** Whose webhook told a dollar too little, so that a day's sums do not agree. */
const told = 'in_101001';

const attempts = `
  select p.*, k, 'att_' || m || '_' || n || '_' || k as attempt_id,
    ${triedAt('k')} as tried_at,
    case when state = 'recovered' and k = done then 'succeeded' else 'declined' end as result
  from planned p cross join lateral generate_series(1, done) k`;

/** In the order of what they refer to; those with a `$2` are given the present time. */
const fills: readonly string[] = [
  `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id, psp,
     state, scheme, funding_source, bin, issuer_country, created_at, updated_at)
   select distinct on (merchant_id, method_id) merchant_id, method_id, customer_id, 'psp_' || customer_id,
     'sandbox', 'active', network, case when c % 3 = 0 then 'credit' else 'debit' end,
     (424240 + c % 7)::text, 'US', at, at
   from planned order by merchant_id, method_id, n`,
  `insert into payments (merchant_id, invoice_id, customer_id, psp_customer_id, subscription_id,
     transaction_id, original_psp_transaction_id, psp, amount_minor, currency, payment_method_ids,
     first_decline, state, stop_reason, stop_detail, failed_at, window_ends_at, max_attempts, attempt_count,
     decision, due_action, next_attempt_at, created_at, updated_at)
   select merchant_id, invoice_id, customer_id, 'psp_' || customer_id, 'sub_' || customer_id,
     'txn_' || invoice_id, 'ch_failed_' || invoice_id, 'sandbox', amount_minor, currency,
     array[method_id],
     jsonb_build_object('category', case when is_hard then 'fix_data' when n % 5 = 2 then 'technical' when n % 5 = 1 then 'review' else 'later' end,
       'code', case when is_hard then '54' else code end, 'networkCode', case when is_hard then '54' else code end,
       'network', network, 'message', case when is_hard then 'expired card' else 'declined by the issuer' end),
     case when state = 'recovered' then 'scheduled' else state end,
     case when state = 'stopped' then 'merchant_stop' end,
     case when state = 'stopped' then 'the customer asked for it' end, at, at + interval '28 days', 8, done,
     case when is_hard then ${waiting} else ${decision(decidedAt)} end,
     case when state not in ('scheduled', 'recovered') then null when is_hard then 'expire' else 'attempt' end,
     case when state not in ('scheduled', 'recovered') then null when is_hard then at + interval '28 days' else ${nextAt} end,
     at, case when state = 'exhausted' then at + interval '28 days' else greatest(at, ended_at) end
   from planned`,
  `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
     customer_id, subscription_id, payment_method_id, amount_minor, currency, success, occurred_at,
     detail, received_at)
   select merchant_id, invoice_id, 'txn_' || invoice_id, 'ch_failed_' || invoice_id, 'sandbox', customer_id,
     'sub_' || customer_id, method_id, amount_minor, currency, false, at,
     jsonb_build_object('scheme', network, 'bin', (424240 + c % 7)::text), at
   from planned`,
  `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, decision, check_answer,
     amount_minor, currency, started_at, ended_at)
   select merchant_id, attempt_id, invoice_id, k, result, ${decision('tried_at')}, '{"retry":true}', amount_minor,
     currency, tried_at, tried_at + interval '1 second'
   from (${attempts}) a`,
  `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
     idempotency_key, payment_method_id, amount_minor, currency, psp_transaction_id, decline, sent_at,
     settled_at, card_key, card_turn, network, credential, hard_decline)
   select merchant_id, attempt_id, 1, invoice_id, 'sandbox', result, 'key_' || attempt_id, method_id,
     amount_minor, currency, 'ch_' || attempt_id,
     case when result = 'declined' then jsonb_build_object('category', 'later', 'code', code,
       'networkCode', code, 'message', 'declined by the issuer') end,
     tried_at, tried_at + interval '1 second', 'sandbox:' || method_id, null, network, 'pan', false
   from (${attempts}) a`,
  `insert into events (merchant_id, event_id, sequence, type, invoice_id, attempt_id, body, created_at)
   select merchant_id, 'evt_' || m || '_' || n || '_' || k, row_number() over (partition by m order by tried_at, n),
     'retry_result', invoice_id, attempt_id,
     '{"invoice_id":"' || invoice_id || '","success":' || (result = 'succeeded') || ',"amount_collected":'
       || case when result = 'succeeded' then (amount_minor - case when invoice_id = '${told}' then 100 else 0 end) / 100.0
            else 0 end || ',"currency":"' || currency || '"}', tried_at
   from (${attempts}) a`,
  // Once its charge is there: the control totals count a recovery under the account of its charge.
  `update payments p set state = 'recovered', due_action = null, next_attempt_at = null, updated_at = d.recovered_at
   from planned d where d.state = 'recovered' and (p.merchant_id, p.invoice_id) = (d.merchant_id, d.invoice_id)`,
  'insert into event_counters select merchant_id, max(sequence) from events group by 1 on conflict do nothing',
  // The second merchant's endpoint is down since yesterday; a few of a day a month ago were given up.
  `insert into deliveries (merchant_id, event_id, state, tries, window_started_at, delivered_at,
     last_status, last_error, next_attempt_at, last_sent_at, last_duration_ms, created_at)
   select merchant_id, 'evt_' || m || '_' || n || '_' || k,
     case when is_down then 'pending' when is_lost then 'exhausted' else 'delivered' end,
     sends, tried_at,
     case when not is_down and not is_lost then tried_at + interval '2 seconds' end,
     case when is_down then 503 when is_lost then 500 else 200 end, null,
     case when is_down then ${sentAt('sends + 1')} end,
     ${sentAt('sends')}, 80 + n % 200, tried_at
   from (select *, case when is_down then 1 + floor(extract(epoch from now - tried_at) / 43200)::int
             when is_lost then 15 else 1 end as sends
         from (select *, m = 2 and tried_at > now - interval '26 hours' as is_down,
                 m = 2 and tried_at between now - interval '31 days' and now - interval '30 days' as is_lost
               from (${attempts}) t) l) a`,
  // A delivery has its last send itself. Citus writes no rows that such times are reckoned for as it reads them.
  `create temporary table resent as
   select merchant_id, event_id, number, ${sentAt('number')} as sent_at, last_status, last_duration_ms + number as duration_ms
   from (select *, created_at as tried_at from deliveries where event_id like 'evt\\_%') d,
     generate_series(1, d.tries - 1) number`,
  `insert into delivery_tries (merchant_id, event_id, number, sent_at, status, duration_ms)
   select merchant_id, event_id, number, sent_at, last_status, duration_ms from resent`,
  `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency, at)
   select merchant_id, 'key_' || attempt_id,
     case when network = 'visa' then 'visa.category_1' else 'mastercard.optimizer' end,
     case when n % 4 = 0 then 'avoided' else 'expected' end, network,
     case when network = 'visa' then 100000 else 2500 end, 'USD', tried_at
   from (${attempts}) a where n % 3 = 0 and result = 'declined' and network <> 'amex'`,
  // Three cards near a limit, one of them with nothing left.
  `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
     credential, payment_method_id, invoice_id, amount_minor, currency, outcome, network_code, at)
   select merchant_id, 'near_' || card || '_' || k, 'sandbox:' || method_id, 'sandbox', 'reported', 'visa', 'mit', 'pan',
     method_id, invoice_id, amount_minor, currency, 'declined', '51', now - k * interval '1 day'
   from (values (1, 13), (2, 17), (3, 22)) as busy (card, count)
   join planned on m = 1 and n = 7 * card, generate_series(1, count) k`,
  'drop table seed, planned, resent',
];

/** Sixty days of payments with their attempts, webhooks, fees and cards, the same at every run. */
export async function seedPayments(
  db: Database,
  input: { readonly merchantIds: readonly string[]; readonly now: Date },
): Promise<void> {
  const client = await db.pool.connect();
  try {
    await client.query('begin');
    // Hours are cut off in the session's zone, which is else the machine's.
    await client.query("set local time zone 'UTC'");
    await client.query(seed, [input.merchantIds, input.now]);
    await client.query(ended);
    for (const text of fills) await client.query(text);
    await client.query("update rollup_progress set through_at = '-infinity'");
    await client.query('commit');
    // Of tables that were empty a moment ago PostgreSQL knows nothing: it counts by plans that take minutes.
    await client.query('analyze');
  } catch (error) {
    await client.query('rollback');
    throw error;
  } finally {
    client.release();
  }
}
