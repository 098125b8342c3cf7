-- Failed payments under recovery, what merchants reported about billing, and payment methods.

-- A payment's own row is its job: at next_attempt_at, due_action is done by whoever holds the
-- lease. fence rises with each lease, and a write of an older holder no longer matches. signals
-- rises with each outside change (an update, a stop), and a plan made before it no longer matches.
create table payments (
  merchant_id                  text not null references merchants,
  invoice_id                   text not null check (length(invoice_id) between 1 and 255),
  customer_id                  text not null check (length(customer_id) between 1 and 255),
  psp_customer_id              text check (length(psp_customer_id) between 1 and 255),
  subscription_id              text check (length(subscription_id) between 1 and 255),
  transaction_id               text not null check (length(transaction_id) between 1 and 255),
  original_psp_transaction_id  text not null check (length(original_psp_transaction_id) between 1 and 255),
  psp                          text not null check (length(psp) between 1 and 32),
  amount_minor                 bigint not null check (amount_minor between 1 and 999999999999),
  currency                     text not null check (currency ~ '^[A-Z]{3}$'),
  custom                       jsonb,
  -- The methods of the failed event, in the merchant's order, and what the issuer said then.
  payment_method_ids           text[] not null check (cardinality(payment_method_ids) between 1 and 20),
  first_decline                jsonb not null,
  state                        text not null default 'scheduled'
    check (state in ('scheduled', 'attempting', 'recovered', 'stopped', 'exhausted')),
  stop_reason                  text
    check (stop_reason in ('merchant_declined_retry', 'merchant_stop', 'invoice_not_found', 'recovered_elsewhere')),
  stop_detail                  text check (length(stop_detail) <= 500),
  failed_at                    timestamptz not null,
  window_ends_at               timestamptz not null,
  max_attempts                 integer not null check (max_attempts between 1 and 20),
  -- Tries that reached a PSP, or may have.
  attempt_count                integer not null default 0 check (attempt_count >= 0),
  -- Checks in a row that got no usable answer, or charges that the PSP never took.
  postponements                integer not null default 0 check (postponements >= 0),
  signals                      integer not null default 0,
  decision                     jsonb,
  due_action                   text check (due_action in ('plan', 'attempt', 'expire')),
  next_attempt_at              timestamptz,
  lease_until                  timestamptz,
  fence                        integer not null default 0,
  created_at                   timestamptz not null,
  updated_at                   timestamptz not null,
  primary key (merchant_id, invoice_id),
  constraint payments_window check (window_ends_at > failed_at),
  constraint payments_final_is_idle
    check (state in ('scheduled', 'attempting') or (next_attempt_at is null and lease_until is null)),
  constraint payments_stopped_says_why
    check (state <> 'stopped' or stop_reason is not null),
  constraint payments_due_has_action check (next_attempt_at is null or due_action is not null),
  constraint payments_lease_only_when_due check (lease_until is null or next_attempt_at is not null)
);
create index payments_due on payments (merchant_id, next_attempt_at)
  where next_attempt_at is not null;
create index payments_customer on payments (merchant_id, customer_id, created_at);
create index payments_open_psp_customer on payments (merchant_id, psp_customer_id)
  where state in ('scheduled', 'attempting') and psp_customer_id is not null;
create index payments_state on payments (merchant_id, state, created_at, invoice_id);
create index payments_created on payments (merchant_id, created_at, invoice_id);

create table payment_methods (
  merchant_id        text not null references merchants,
  payment_method_id  text not null check (length(payment_method_id) between 1 and 255),
  customer_id        text check (length(customer_id) between 1 and 255),
  psp_customer_id    text check (length(psp_customer_id) between 1 and 255),
  psp                text check (length(psp) between 1 and 32),
  state              text not null check (state in ('active', 'removed')),
  scheme             text check (length(scheme) <= 64),
  funding_source     text check (length(funding_source) <= 32),
  bin                text check (length(bin) between 4 and 8),
  issuer_country     text check (length(issuer_country) = 2),
  last_reason        text check (last_reason in ('user_added', 'user_removed', 'user_updated', 'network_updated')),
  -- When the merchant last reported a change of it; null for one that only a payment named.
  signalled_at       timestamptz,
  created_at         timestamptz not null,
  updated_at         timestamptz not null,
  primary key (merchant_id, payment_method_id),
  constraint payment_methods_belong check (customer_id is not null or psp_customer_id is not null)
);
create index payment_methods_customer on payment_methods (merchant_id, customer_id)
  where customer_id is not null;
create index payment_methods_psp_customer on payment_methods (merchant_id, psp_customer_id)
  where psp_customer_id is not null;

-- Every billing attempt that a merchant reported, failed or successful: what policies learn from.
-- detail keeps the fields of the report that have no column.
create table transactions (
  merchant_id                text not null references merchants,
  invoice_id                 text not null check (length(invoice_id) between 1 and 255),
  transaction_id             text not null check (length(transaction_id) between 1 and 255),
  psp_transaction_id         text not null check (length(psp_transaction_id) between 1 and 255),
  psp                        text not null check (length(psp) between 1 and 32),
  customer_id                text not null check (length(customer_id) between 1 and 255),
  subscription_id            text not null check (length(subscription_id) between 1 and 255),
  payment_method_id          text not null check (length(payment_method_id) between 1 and 255),
  amount_minor               bigint not null check (amount_minor between 0 and 999999999999),
  currency                   text not null check (currency ~ '^[A-Z]{3}$'),
  success                    boolean not null,
  network_transaction_id     text check (length(network_transaction_id) <= 255),
  occurred_at                timestamptz not null,
  detail                     jsonb not null,
  received_at                timestamptz not null,
  primary key (merchant_id, invoice_id, psp_transaction_id)
);
create index transactions_customer on transactions (merchant_id, customer_id, occurred_at);
-- An operator looks for a payment by any id that a person may hold. These stand here and not on
-- payments: a reported transaction is written once, a payment at every step.
create index transactions_failed_subscription on transactions (merchant_id, subscription_id)
  where not success;
create index transactions_failed_transaction on transactions (merchant_id, transaction_id)
  where not success;
create index transactions_failed_psp_transaction on transactions (merchant_id, psp_transaction_id)
  where not success;
