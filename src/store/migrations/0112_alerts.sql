-- Alerts that go to people: where they are sent, which go where, who silenced what, and what was told. What is
-- told is decided by one look at a time, of whichever process, so that each channel is told once; it is
-- kept, so that a restart tells nothing again.

create table alert_channels (
  channel_id     text primary key check (length(channel_id) <= 64),
  name           text not null check (length(name) between 1 and 100),
  kind           text not null check (kind in ('email', 'slack', 'webhook')),
  -- What of the target may be shown: a host, or how many recipients.
  hint           text not null check (length(hint) <= 300),
  -- Addresses and secrets, sealed under the service's key for them.
  sealed         bytea not null check (length(sealed) between 28 and 32768),
  is_paused      boolean not null default false,
  created_at     timestamptz not null,
  last_sent_at   timestamptz,
  failing_since  timestamptz,
  last_error     text check (length(last_error) <= 500)
);

create table alert_routes (
  route_id        text primary key check (length(route_id) <= 64),
  channel_id      text not null references alert_channels on delete cascade,
  -- Null: any.
  severities      text[] check (severities <@ array['page', 'ticket']),
  kinds           text[] check (cardinality(kinds) between 1 and 50),
  merchants       text[] check (cardinality(merchants) between 1 and 1000),
  repeat_ms       bigint not null check (repeat_ms between 60000 and 2592000000),
  tells_resolved  boolean not null,
  created_at      timestamptz not null
);
create index alert_routes_channel on alert_routes (channel_id);

create table alert_silences (
  silence_id   text primary key check (length(silence_id) <= 64),
  kind         text check (length(kind) <= 50),
  merchant_id  text check (length(merchant_id) <= 64),
  reason       text not null check (length(reason) between 1 and 500),
  created_by   text not null check (length(created_by) <= 100),
  created_at   timestamptz not null,
  ends_at      timestamptz not null
);
create index alert_silences_ends on alert_silences (ends_at);

create table alert_states (
  alert_key      text primary key check (length(alert_key) <= 500),
  kind           text not null check (length(kind) <= 50),
  merchant_id    text,
  merchant_name  text,
  count          bigint not null check (count >= 0),
  title          text not null check (length(title) <= 500),
  detail         text not null check (length(detail) <= 1000),
  -- The service's time; the other two are the database's, which no sandbox moves.
  at             timestamptz not null,
  first_seen_at  timestamptz not null,
  gone_at        timestamptz
);

-- What each channel was told of an alert last.
create table alert_notices (
  alert_key   text not null references alert_states on delete cascade,
  channel_id  text not null references alert_channels on delete cascade,
  told_at     timestamptz not null,
  told_count  bigint not null,
  primary key (alert_key, channel_id)
);
create index alert_notices_channel on alert_notices (channel_id);

-- Messages to channels; each is its own job until it is sent or given up.
create table alert_messages (
  message_id   text primary key check (length(message_id) <= 64),
  channel_id   text not null references alert_channels on delete cascade,
  items        jsonb not null,
  state        text not null check (state in ('pending', 'sent', 'given_up')),
  tries        integer not null default 0 check (tries >= 0),
  created_at   timestamptz not null,
  next_try_at  timestamptz,
  lease_until  timestamptz,
  fence        integer not null default 0,
  ended_at     timestamptz,
  last_error   text check (length(last_error) <= 500),
  constraint alert_messages_due_while_pending check ((state = 'pending') = (next_try_at is not null)),
  constraint alert_messages_ended check ((state = 'pending') = (ended_at is null))
);
create index alert_messages_due on alert_messages (next_try_at) where next_try_at is not null;
create index alert_messages_newest on alert_messages (created_at desc, message_id desc);
create index alert_messages_channel on alert_messages (channel_id);

-- Who looks holds this row, which the first look makes.
create table alert_watch (
  only_row   boolean primary key default true check (only_row),
  looked_at  timestamptz not null
);

-- A key of the service of its own seals the channels.
alter table service_keys drop constraint service_keys_use_check;
alter table service_keys add constraint service_keys_use_check
  check (use in ('hash credentials, v1', 'seal alert channels, v1')) not valid;
