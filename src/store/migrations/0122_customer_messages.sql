-- Messages to customers whose payments wait for them, for merchants that switch them on: how they are written,
-- to whom, and what became of each. Addresses are sealed, and known otherwise by a keyed hash alone.

-- Read with the merchant, so that others' reports cost nothing more.
alter table merchants add column messages_on boolean not null default false;

create table message_settings (
  merchant_id        text primary key references merchants,
  sender             text check (length(sender) between 3 and 200),
  reply_to           text check (length(reply_to) between 3 and 200),
  time_zone          text not null check (length(time_zone) between 1 and 64),
  quiet_from         integer not null check (quiet_from between 0 and 23),
  quiet_until        integer not null check (quiet_until between 0 and 23),
  max_messages       integer not null check (max_messages between 1 and 10),
  first_after_hours  integer not null check (first_after_hours between 0 and 720),
  gap_hours          integer not null check (gap_hours between 1 and 720),
  holdout_share      double precision not null check (holdout_share between 0 and 0.5),
  language           text not null check (length(language) between 2 and 6),
  updated_at         timestamptz not null
);

create table message_templates (
  merchant_id  text not null references merchants,
  reason       text not null check (length(reason) between 1 and 50),
  language     text not null check (length(language) between 2 and 6),
  subject      text not null check (length(subject) between 1 and 150),
  body         text not null check (length(body) between 1 and 5000),
  updated_at   timestamptz not null,
  primary key (merchant_id, reason, language)
);

-- One address of a customer, the one that was reported last.
create table customer_addresses (
  merchant_id   text not null references merchants,
  customer_id   text not null check (length(customer_id) between 1 and 255),
  sealed        bytea not null check (length(sealed) between 20 and 2048),
  key_version   integer not null,
  address_hash  text not null check (length(address_hash) = 64),
  language      text check (length(language) between 2 and 6),
  time_zone     text check (length(time_zone) between 1 and 64),
  updated_at    timestamptz not null,
  primary key (merchant_id, customer_id)
);

-- Whom nothing is sent any more; kept when the address itself is not.
create table message_suppressions (
  merchant_id   text not null references merchants,
  address_hash  text not null check (length(address_hash) = 64),
  reason        text not null check (reason in ('stopped', 'bounced', 'complained', 'operator')),
  created_at    timestamptz not null,
  primary key (merchant_id, address_hash)
);

-- A payment whose customer may be written to, and its own job until it ends. Those held out are never due.
create table message_threads (
  merchant_id   text not null,
  invoice_id    text not null,
  customer_id   text not null,
  arm           text not null check (arm in ('messages', 'holdout')),
  -- Whether the customer could be written to when it began: only such payments are compared.
  is_reachable  boolean not null,
  begun_at      timestamptz not null,
  sent          integer not null default 0 check (sent >= 0),
  last_sent_at  timestamptz,
  next_look_at  timestamptz,
  held_by       text check (length(held_by) <= 50),
  end_reason    text check (length(end_reason) <= 50),
  lease_until   timestamptz,
  fence         integer not null default 0,
  primary key (merchant_id, invoice_id),
  foreign key (merchant_id, invoice_id) references payments (merchant_id, invoice_id),
  constraint message_threads_holdout check (arm = 'messages' or (next_look_at is null and sent = 0)),
  constraint message_threads_ended check (end_reason is null or next_look_at is null)
);
create index message_threads_due on message_threads (next_look_at) where next_look_at is not null;
create index message_threads_begun on message_threads (merchant_id, begun_at);

-- A message is written down before it is sent. unanswered counts sends whose answer nobody knows: of a
-- process that died, or a connection that broke; after the second it is not sent again.
create table customer_messages (
  merchant_id   text not null,
  message_id    text not null check (length(message_id) between 1 and 64),
  invoice_id    text not null,
  number        integer not null check (number between 1 and 10),
  reason        text not null check (length(reason) between 1 and 50),
  language      text not null check (length(language) between 2 and 6),
  state         text not null check (state in ('sending', 'sent', 'refused', 'bounced', 'given_up')),
  tries         integer not null check (tries > 0),
  unanswered    integer not null check (unanswered >= 0),
  address_hash  text check (length(address_hash) = 64),
  created_at    timestamptz not null,
  ended_at      timestamptz,
  last_error    text check (length(last_error) <= 500),
  primary key (merchant_id, message_id),
  unique (merchant_id, invoice_id, number),
  foreign key (merchant_id, invoice_id) references message_threads (merchant_id, invoice_id),
  constraint customer_messages_ended check ((state = 'sending') = (ended_at is null))
);
create index customer_messages_newest on customer_messages (merchant_id, created_at desc, message_id desc);
