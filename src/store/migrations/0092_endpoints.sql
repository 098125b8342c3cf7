-- Further webhook endpoints of a merchant. The first one is the merchant's own webhook_url, as it always was:
-- it gets every event, and its deliveries stay in `deliveries`. Each further one takes the types of event that
-- it names, and its deliveries are rows of a table of their own: the first endpoint's path does not grow by
-- them, the totals of events and deliveries stay what they were, and an earlier release that still runs never
-- sees them, so it cannot send them to the wrong server.
--
-- An endpoint that is removed stays as a row, since its deliveries name it. One that is paused keeps its
-- deliveries due: they are claimed again when it is resumed.
create table endpoints (
  merchant_id       text not null references merchants,
  endpoint_id       text not null check (length(endpoint_id) <= 64),
  url               text not null check (length(url) between 1 and 2048),
  event_types       text[] not null check (cardinality(event_types) between 1 and 20),
  quick_sends       boolean not null,
  -- What its calls carry, without the texts of it.
  auth_type         text not null check (auth_type in ('none', 'api_key', 'basic')),
  header_names      text[] not null check (cardinality(header_names) <= 20),
  -- Days of nothing but failures after which it is paused; null: never.
  pause_after_days  integer check (pause_after_days between 1 and 30),
  paused_at         timestamptz,
  paused_by         text check (paused_by in ('operator', 'failures')),
  -- Failures before it was resumed last do not pause it again.
  resumed_at        timestamptz,
  removed_at        timestamptz,
  created_at        timestamptz not null,
  updated_at        timestamptz not null,
  primary key (merchant_id, endpoint_id),
  constraint endpoints_paused_by check ((paused_at is null) = (paused_by is null)),
  constraint endpoints_removed_is_not_paused check (removed_at is null or paused_at is null)
);

-- The same for the first one.
alter table merchants
  add column webhook_pause_after_days  integer,
  add column webhook_paused_at         timestamptz,
  add column webhook_resumed_at        timestamptz,
  add column webhook_paused_by         text,
  add constraint merchants_webhook_pause_after_days
    check (webhook_pause_after_days between 1 and 30) not valid,
  add constraint merchants_webhook_paused_by check (
    webhook_paused_by in ('operator', 'failures')
    and (webhook_paused_at is null) = (webhook_paused_by is null)) not valid;

-- What opens an endpoint: its credentials, its own headers and its signing secrets, sealed as one text.
alter table secrets
  drop constraint secrets_kind_check,
  add constraint secrets_kind_check
    check (kind in ('signing_secret', 'merchant_auth', 'psp_credentials', 'endpoint')) not valid;

-- As deliveries, a row's own job.
create table endpoint_deliveries (
  merchant_id        text not null,
  event_id           text not null,
  endpoint_id        text not null,
  state              text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted')),
  tries              integer not null default 0,
  window_started_at  timestamptz,
  delivered_at       timestamptz,
  last_sent_at       timestamptz,
  last_duration_ms   integer,
  last_status        integer,
  last_error         text check (length(last_error) <= 500),
  last_answer        text check (length(last_answer) <= 1000),
  next_attempt_at    timestamptz,
  lease_until        timestamptz,
  fence              integer not null default 0,
  failures           integer not null default 0,
  set_aside_at       timestamptz,
  set_aside_reason   text check (length(set_aside_reason) <= 500),
  replay_id          text check (length(replay_id) <= 64),
  created_at         timestamptz not null,
  primary key (merchant_id, event_id, endpoint_id),
  foreign key (merchant_id, event_id) references events (merchant_id, event_id),
  foreign key (merchant_id, endpoint_id) references endpoints (merchant_id, endpoint_id),
  constraint endpoint_deliveries_due_while_pending
    check ((state = 'pending' and set_aside_at is null) = (next_attempt_at is not null)),
  constraint endpoint_deliveries_set_aside_says_why
    check ((set_aside_at is null) = (set_aside_reason is null)),
  constraint endpoint_deliveries_delivered_when check (state <> 'delivered' or delivered_at is not null),
  constraint endpoint_deliveries_last_send check ((last_sent_at is null) = (last_duration_ms is null))
) with (fillfactor = 70);
create index endpoint_deliveries_due on endpoint_deliveries (merchant_id, endpoint_id, next_attempt_at)
  where next_attempt_at is not null;
create index endpoint_deliveries_state on endpoint_deliveries (merchant_id, endpoint_id, state, created_at);
create index endpoint_deliveries_set_aside on endpoint_deliveries (merchant_id, set_aside_at)
  where set_aside_at is not null;
create index endpoint_deliveries_replayed on endpoint_deliveries (merchant_id, replay_id)
  where replay_id is not null;

create table endpoint_delivery_tries (
  merchant_id  text not null,
  event_id     text not null,
  endpoint_id  text not null,
  number       integer not null check (number > 0),
  sent_at      timestamptz not null,
  status       integer,
  error        text check (length(error) <= 500),
  duration_ms  integer not null,
  answer       text check (length(answer) <= 1000),
  primary key (merchant_id, event_id, endpoint_id, number),
  foreign key (merchant_id, event_id, endpoint_id)
    references endpoint_deliveries (merchant_id, event_id, endpoint_id)
);
create index endpoint_delivery_tries_sent on endpoint_delivery_tries using brin (sent_at);

create view endpoint_delivery_sends as
  select merchant_id, event_id, endpoint_id, number, sent_at, status, error, duration_ms, answer
  from endpoint_delivery_tries
  union all
  select merchant_id, event_id, endpoint_id, tries, last_sent_at, last_status, last_error,
         last_duration_ms, last_answer
  from endpoint_deliveries where last_sent_at is not null;

-- Which endpoint a replay is of; null: the first one.
alter table replays
  add column endpoint_id text,
  add constraint replays_endpoint_id check (length(endpoint_id) <= 64) not valid;

-- As the other tables of merchants: see 0065.
do $$
declare
  of_table text;
begin
  foreach of_table in array array['endpoints', 'endpoint_deliveries', 'endpoint_delivery_tries'] loop
    execute format('alter table %I alter column merchant_id set (n_distinct = 1)', of_table);
    if to_regproc('pg_restore_attribute_stats') is not null then
      perform pg_restore_attribute_stats(
        'schemaname', current_schema()::text, 'relname', of_table, 'attname', 'merchant_id',
        'inherited', false, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', 1::real);
    end if;
  end loop;
end $$;
