-- Retries and their charges. The unique indexes are the promises that matter most: an invoice never
-- has two open attempts, two charges on their way, or two successes.

create table attempts (
  merchant_id   text not null,
  attempt_id    text not null check (length(attempt_id) <= 64),
  invoice_id    text not null,
  number        integer not null check (number > 0),
  state         text not null
    check (state in ('checking', 'charging', 'succeeded', 'declined', 'not_attempted', 'unknown')),
  decision      jsonb,
  -- What the merchant's server answered to the final check, without any token.
  check_answer  jsonb,
  amount_minor  bigint check (amount_minor between 1 and 999999999999),
  currency      text check (currency ~ '^[A-Z]{3}$'),
  started_at    timestamptz not null,
  ended_at      timestamptz,
  primary key (merchant_id, attempt_id),
  foreign key (merchant_id, invoice_id) references payments (merchant_id, invoice_id),
  constraint attempts_charge_needs_a_yes
    check (state in ('checking', 'not_attempted')
      or (check_answer ->> 'retry') is not distinct from 'true'),
  constraint attempts_ended
    check ((state in ('checking', 'charging', 'unknown')) = (ended_at is null))
);
create unique index attempts_number on attempts (merchant_id, invoice_id, number);
create unique index attempts_one_open on attempts (merchant_id, invoice_id)
  where state in ('checking', 'charging', 'unknown');
create unique index attempts_one_success on attempts (merchant_id, invoice_id)
  where state = 'succeeded';

-- A charge is committed as `sending` before the PSP is called, under the key that it is sent with.
-- An unknown one is its own job: at next_attempt_at the PSP's record is asked.
create table psp_transactions (
  merchant_id             text not null,
  attempt_id              text not null,
  ordinal                 integer not null check (ordinal between 1 and 10),
  invoice_id              text not null,
  psp                     text not null check (length(psp) between 1 and 32),
  state                   text not null
    check (state in ('sending', 'succeeded', 'declined', 'unknown', 'not_made')),
  idempotency_key         text not null check (length(idempotency_key) between 1 and 64),
  payment_method_id       text not null check (length(payment_method_id) between 1 and 255),
  amount_minor            bigint not null check (amount_minor between 1 and 999999999999),
  currency                text not null check (currency ~ '^[A-Z]{3}$'),
  psp_transaction_id      text check (length(psp_transaction_id) <= 255),
  network_transaction_id  text check (length(network_transaction_id) <= 255),
  decline                 jsonb,
  reason                  text check (length(reason) <= 500),
  sent_at                 timestamptz not null,
  settled_at              timestamptz,
  look_ups                integer not null default 0,
  next_attempt_at         timestamptz,
  lease_until             timestamptz,
  fence                   integer not null default 0,
  primary key (merchant_id, attempt_id, ordinal),
  foreign key (merchant_id, attempt_id) references attempts (merchant_id, attempt_id),
  constraint psp_transactions_due_only_unknown check (next_attempt_at is null or state = 'unknown'),
  constraint psp_transactions_settled
    check ((state in ('sending', 'unknown')) = (settled_at is null)),
  constraint psp_transactions_success_has_id
    check (state <> 'succeeded' or psp_transaction_id is not null)
);
create unique index psp_transactions_key on psp_transactions (merchant_id, idempotency_key);
create unique index psp_transactions_one_in_flight on psp_transactions (merchant_id, invoice_id)
  where state in ('sending', 'unknown');
create unique index psp_transactions_one_success on psp_transactions (merchant_id, invoice_id)
  where state = 'succeeded';
create index psp_transactions_psp_id on psp_transactions (merchant_id, psp_transaction_id)
  where psp_transaction_id is not null;
create index psp_transactions_due on psp_transactions (merchant_id, next_attempt_at)
  where next_attempt_at is not null;
