-- Events for merchants and their deliveries. An event is written in the transaction that records
-- what it reports; its body is frozen there, byte for byte.

-- Gap-free sequence numbers per merchant: the row is locked until its transaction commits, so a
-- reader that has seen number n has seen every one below it.
create table event_counters (
  merchant_id    text primary key references merchants,
  last_sequence  bigint not null
);

create table events (
  merchant_id  text not null references merchants,
  event_id     text not null check (length(event_id) <= 64),
  sequence     bigint not null check (sequence > 0),
  type         text not null check (type in ('retry_result', 'end_of_dunning')),
  invoice_id   text not null,
  attempt_id   text,
  body         text not null,
  created_at   timestamptz not null,
  primary key (merchant_id, event_id),
  foreign key (merchant_id, invoice_id) references payments (merchant_id, invoice_id),
  constraint events_result_of_an_attempt check ((type = 'retry_result') = (attempt_id is not null))
);
create unique index events_sequence on events (merchant_id, sequence);
create unique index events_one_per_attempt on events (merchant_id, attempt_id)
  where attempt_id is not null;
create unique index events_one_end on events (merchant_id, invoice_id)
  where type = 'end_of_dunning';
create index events_invoice on events (merchant_id, invoice_id);

-- A delivery's own row is its job, as a payment's is. The redelivery window is counted from
-- window_started_at: the first send, or the latest replay that was asked for.
create table deliveries (
  merchant_id        text not null,
  event_id           text not null,
  state              text not null default 'pending' check (state in ('pending', 'delivered', 'exhausted')),
  tries              integer not null default 0,
  window_started_at  timestamptz,
  delivered_at       timestamptz,
  last_status        integer,
  last_error         text check (length(last_error) <= 500),
  next_attempt_at    timestamptz,
  lease_until        timestamptz,
  fence              integer not null default 0,
  created_at         timestamptz not null,
  primary key (merchant_id, event_id),
  foreign key (merchant_id, event_id) references events (merchant_id, event_id),
  constraint deliveries_due_while_pending check ((state = 'pending') = (next_attempt_at is not null)),
  constraint deliveries_delivered_when check (state <> 'delivered' or delivered_at is not null)
);
create index deliveries_due on deliveries (merchant_id, next_attempt_at)
  where next_attempt_at is not null;
create index deliveries_state on deliveries (merchant_id, state, created_at);

create table delivery_tries (
  merchant_id  text not null,
  event_id     text not null,
  number       integer not null check (number > 0),
  sent_at      timestamptz not null,
  status       integer,
  error        text check (length(error) <= 500),
  duration_ms  integer not null,
  primary key (merchant_id, event_id, number),
  foreign key (merchant_id, event_id) references deliveries (merchant_id, event_id)
);
-- For the daily trim of old lines alone: rows are written in the order of their times.
create index delivery_tries_sent on delivery_tries using brin (sent_at);
