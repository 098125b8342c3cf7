-- Messages about cards that end before they are charged again: one for each card and its last month, with what became
-- of it, and its own job until it is sent or the notice has ended. Those held out are never due. What is written here
-- is found by a message's id beside customer_messages, whose rows are of payments.
create table card_messages (
  merchant_id        text not null,
  payment_method_id  text not null,
  card_ends_at       timestamptz not null,
  customer_id        text not null check (length(customer_id) between 1 and 255),
  subscription_id    text not null check (length(subscription_id) between 1 and 255),
  arm                text not null check (arm in ('messages', 'holdout')),
  -- Whether the customer could be written to when it began: only such cards are compared.
  is_reachable       boolean not null,
  begun_at           timestamptz not null,
  next_look_at       timestamptz,
  held_by            text check (length(held_by) <= 50),
  end_reason         text check (length(end_reason) <= 50),
  lease_until        timestamptz,
  fence              integer not null default 0,
  -- The message, from when it is written down before it is sent.
  message_id         text check (length(message_id) between 1 and 64),
  language           text check (length(language) between 2 and 6),
  state              text check (state in ('sending', 'sent', 'refused', 'bounced', 'given_up')),
  tries              integer not null default 0 check (tries >= 0),
  unanswered         integer not null default 0 check (unanswered >= 0),
  address_hash       text check (length(address_hash) = 64),
  written_at         timestamptz,
  ended_at           timestamptz,
  last_error         text check (length(last_error) <= 500),
  -- What came of its link.
  visited_at         timestamptz,
  has_refused        boolean not null default false,
  primary key (merchant_id, payment_method_id, card_ends_at),
  foreign key (merchant_id, payment_method_id, card_ends_at)
    references card_notices (merchant_id, payment_method_id, card_ends_at),
  unique (merchant_id, message_id),
  constraint card_messages_holdout check (arm = 'messages' or (next_look_at is null and message_id is null)),
  constraint card_messages_done check (end_reason is null or next_look_at is null),
  constraint card_messages_written check (
    num_nonnulls(message_id, language, state, written_at) in (0, 4)
    and coalesce(state <> 'sending', false) = (ended_at is not null))
);
create index card_messages_due on card_messages (next_look_at) where next_look_at is not null;
create index card_messages_newest on card_messages (merchant_id, written_at desc, message_id desc)
  where message_id is not null;
create index card_messages_sending on card_messages (merchant_id) where state = 'sending';
create index card_messages_ended on card_messages (ended_at);
create index card_messages_begun on card_messages (merchant_id, begun_at);
