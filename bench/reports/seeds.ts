/** Merchants of the seed: the first has three fifths of the payments, the last a twentieth. */
export const merchantIds = ['mer_1', 'mer_2', 'mer_3', 'mer_4'] as const;

/** How long ago the first payment failed. */
const days = 90;
/** Customers, and those of them whose cards are charged more than others. */
const customers = 250_000;
const busyCustomers = 400;

/** What each row is made from: `$1` how many payments there are. */
export const plan: readonly string[] = [
  // Built once over all rows, indexes and keys take a third of the time of rows that come one by one.
  `create table seed_keys as
   select 'constraint' as kind, conrelid::regclass::text as of_table, conname as name, contype = 'f' as is_foreign,
     pg_get_constraintdef(oid) as definition
   from pg_constraint
   where contype in ('f', 'p', 'u') and connamespace = current_schema()::regnamespace
     -- Those of partitions go and come with their table's.
     and conparentid = 0
   union all
   select 'index', indrelid::regclass::text, relname, false, pg_get_indexdef(indexrelid)
   from pg_index join pg_class on oid = indexrelid
   where relnamespace = current_schema()::regnamespace and not relispartition
     and not exists (select from pg_constraint where conindid = indexrelid)`,
  `do $$ declare k record; begin
     for k in select * from seed_keys order by is_foreign desc loop
       if k.kind = 'index' then execute format('drop index %I', k.name);
       else execute format('alter table %s drop constraint %I', k.of_table, k.name);
       end if;
     end loop;
   end $$`,
  // They look for each row's attempt, by an index that is not there.
  'alter table payments disable trigger note_inserted_payment',
  'alter table psp_transactions disable trigger charges_have_attempts',
  `insert into merchants (merchant_id, name, retry_status_url, webhook_url, policy_kind, window_days,
     max_attempts, fixed_days, created_at, updated_at)
   select 'mer_' || m, 'Merchant ' || m, 'https://x/r', 'https://x/w',
     case when m <= 2 then 'learned' else 'fixed' end, 28, 8, '{1,3,5}',
     now() - interval '${days + 1} days', now()
   from generate_series(1, ${merchantIds.length}) m`,
  `create unlogged table seed as
   with drawn as (
     select n, 1 + (n / 3) % 2 as tries,
       case when n % 50 = 0 then ${customers} + (n / 50) % ${busyCustomers}
            else n % ${customers} end as c,
       date_trunc('milliseconds', now()
         - ($1::int - n) * interval '${days} days' / $1::int) as at
     from generate_series(1, $1::int) n
   )
   select n, c, at, tries, ended,
     case when c % 20 < 12 then 'mer_1' when c % 20 < 16 then 'mer_2'
          when c % 20 < 19 then 'mer_3' else 'mer_4' end as merchant_id,
     least(tries, floor(extract(epoch from now() - at) / 259200))::int as done,
     case when not ended then 'scheduled' when n % 10 < 5 then 'recovered'
          when n % 10 < 9 then 'exhausted' else 'stopped' end as state,
     case when c / 20 % 10 < 6 then 'visa' when c / 20 % 10 < 9 then 'mastercard'
          else 'amex' end as network,
     case when n % 7 = 0 then 'GBP' when n % 5 = 0 then 'USD' else 'EUR' end as currency,
     (array['insufficient_funds', 'do_not_honor', 'issuer_unavailable', 'try_again_later'])
       [1 + n % 4] as code,
     case when c % 20 >= 16 then null when c % 10 = 0 then 'holdout' when n % 20 = 1 then 'explore' else 'learned' end as arm
   from (select *, now() - at >= make_interval(days => 3 * tries + 3) as ended from drawn) d`,
  'create unique index seed_n on seed (n)',
  'analyze seed',
  `insert into payment_methods (merchant_id, payment_method_id, customer_id, psp_customer_id, psp,
     state, scheme, funding_source, bin, fingerprint, fingerprint_at, created_at, updated_at)
   select distinct on (c) merchant_id, 'pm_' || c, 'cus_' || c, 'pspcus_' || c, 'stripe', 'active',
     network, case when c % 3 = 0 then 'credit' else 'debit' end, (424240 + c % 60)::text,
     'fp_' || c, at, at, at
   from seed order by c, n`,
];

/** An attempt of each payment three days after the other; `k` numbers them. */
const attempts = `
  select s.*, k, 'att_' || n || '_' || k as attempt_id, at + k * interval '3 days' as tried_at,
    case when s.state = 'recovered' and k = tries then 'succeeded' else 'declined' end as result
  from seed s cross join lateral generate_series(1, done) k
  where n between $1 and $2`;

const decision = (at: string) => `
  jsonb_build_object('kind', 'attempt', 'because', 'the time with the best chance', 'policy',
    'learned', 'policy_version', '1', 'arm', arm, 'decided_at', at, 'at', ${at},
    'methods', array['pm_' || c], 'chance', 0.31, 'propensity', 0.95, 'bounded_by', '[]'::jsonb,
    'leading', jsonb_build_array(jsonb_build_object('feature', 'payday', 'words', 'near payday',
      'value', 1, 'effect', 0.12)), 'candidates', jsonb_build_array(
      jsonb_build_object('at', ${at}, 'score', 0.31), jsonb_build_object('at', at, 'score', 0.12)))`;

/** One list for each connection, filled in stretches of payments from `$1` to `$2`. */
export const fills: readonly (readonly string[])[] = [
  [
    `insert into payments (merchant_id, invoice_id, customer_id, psp_customer_id, subscription_id,
       transaction_id, original_psp_transaction_id, psp, amount_minor, currency,
       payment_method_ids, first_decline, state, stop_reason, failed_at, window_ends_at,
       max_attempts, attempt_count, decision, due_action, next_attempt_at, created_at, updated_at)
     select merchant_id, 'in_' || n, 'cus_' || c, 'pspcus_' || c, 'sub_' || n / 4, 'tra_' || n,
       'ch_' || n, 'stripe', 500 + n % 9000, currency, array['pm_' || c],
       jsonb_build_object('category', case when n % 4 = 1 then 'review' else 'later' end,
         'code', code, 'networkCode', (51 + n % 4)::text, 'network', network,
         'message', 'The issuer declined.'),
       state, case when state = 'stopped' then 'merchant_stop' end, at,
       at + interval '28 days', 8, done, ${decision("at + (done + 1) * interval '3 days'")},
       case when state = 'scheduled' then 'attempt' end,
       case when state = 'scheduled' then at + (done + 1) * interval '3 days' end, at,
       at + done * interval '3 days'
     from seed where n between $1 and $2`,
    `insert into transactions (merchant_id, invoice_id, transaction_id, psp_transaction_id, psp,
       customer_id, subscription_id, payment_method_id, amount_minor, currency, success,
       occurred_at, detail, received_at)
     select merchant_id, 'in_' || n, 'tra_' || n, 'ch_' || n, 'stripe', 'cus_' || c,
       'sub_' || n / 4, 'pm_' || c, 500 + n % 9000, currency, false, at,
       jsonb_build_object('scheme', network, 'bin', 424240 + c % 60), at
     from seed where n between $1 and $2`,
  ],
  [
    `insert into events (merchant_id, event_id, sequence, type, invoice_id, attempt_id, body,
       created_at)
     select merchant_id, 'evt_' || n || '_' || k, n * 2::bigint + k, 'retry_result', 'in_' || n,
       attempt_id, '{"type":"retry_result","invoice_id":"in_' || n || '","attempt_id":"'
         || attempt_id || '","result":"' || result || '","text":"' || repeat(md5(n::text), 6)
         || '"}', tried_at
     from (${attempts}) a`,
    `insert into deliveries (merchant_id, event_id, state, tries, window_started_at, delivered_at,
       last_sent_at, last_duration_ms, last_status, next_attempt_at, created_at)
     select merchant_id, 'evt_' || n || '_' || k,
       case when n % 1000 = 7 then 'exhausted' when is_failing then 'pending' else 'delivered' end,
       1, tried_at, case when n % 1000 <> 7 and not is_failing then tried_at end,
       tried_at, 20 + n % 300,
       case when n % 1000 = 7 or is_failing then 500 else 200 end,
       case when is_failing then now() + interval '1 hour' end, tried_at
     from (select *, n % 1000 = 8 and tried_at > now() - interval '3 days' as is_failing
           from (${attempts}) t) a`,
  ],
  [
    `insert into attempts (merchant_id, attempt_id, invoice_id, number, state, decision, check_answer,
       amount_minor, currency, started_at, ended_at)
     select merchant_id, attempt_id, 'in_' || n, k, result, ${decision('tried_at')},
       '{"retry":true}', 500 + n % 9000, currency, tried_at, tried_at + interval '1 second'
     from (${attempts}) a`,
    `insert into psp_transactions (merchant_id, attempt_id, ordinal, invoice_id, psp, state,
       idempotency_key, payment_method_id, amount_minor, currency, psp_transaction_id, decline,
       sent_at, settled_at, card_key, card_turn, network, credential, hard_decline)
     select merchant_id, attempt_id, 1, 'in_' || n, 'stripe', result, 'key_' || n || '_' || k,
       'pm_' || c, 500 + n % 9000, currency, 'ch_' || n || '_' || k,
       case when result = 'declined' then jsonb_build_object('category', 'later', 'code', code,
         'networkCode', (51 + n % 4)::text) end,
       tried_at, tried_at + interval '1 second', 'fingerprint:stripe:fp_' || c, null, network, 'pan', false
     from (${attempts}) a`,
  ],
  [
    `insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network,
       initiator, credential, payment_method_id, invoice_id, amount_minor, currency, outcome,
       network_code, hard_decline, at)
     select merchant_id, 'in_' || n || '/ch_' || n, 'fingerprint:stripe:fp_' || c, 'stripe', 'reported',
       network, 'mit', 'pan', 'pm_' || c, 'in_' || n, 500 + n % 9000, currency, 'declined',
       (51 + n % 4)::text, false, at
     from seed
     where n between $1 and $2`,
    `insert into network_fees (merchant_id, charge_ref, rule, kind, network, amount_micros, currency,
       at)
     select merchant_id, 'key_' || n || '_' || k, 'mastercard_excessive', 'expected', network, 25000,
       currency, tried_at
     from (${attempts}) a where network = 'mastercard'`,
  ],
];

/**
 * What builds the keys and indexes again, those that others need first: a row for each. Foreign keys
 * hold for what is written from then on: what stands there was made to fit.
 */
export const keys = `
  select is_foreign, of_table, case when kind = 'index' then definition
    else format('alter table %s add constraint %I %s', of_table, name, definition)
           || case when is_foreign then ' not valid' else '' end end as text
  from seed_keys order by is_foreign, of_table`;

/** What completes the tables, and removes what they were made from. */
export const ends: readonly string[] = [
  `insert into event_counters select merchant_id, max(sequence) from events group by 1`,
  'alter table payments enable trigger note_inserted_payment',
  'alter table psp_transactions enable trigger charges_have_attempts',
  'drop table seed, seed_keys',
];
