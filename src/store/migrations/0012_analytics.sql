-- What checkouts captured, for later disputes. What tells of a person is sealed under his key and
-- found by keyed hashes; ids mean nothing outside the merchant's systems and are kept as they are. A
-- capture's id is a keyed hash of its content, so that a repetition is the same row.
create table analytics (
  merchant_id    text not null references merchants,
  analytics_id   text not null check (length(analytics_id) between 1 and 64),
  subject_id     text not null,
  state          text not null check (state in ('active', 'archived', 'erased')),
  psp            text not null check (length(psp) between 1 and 32),
  customer_id    text check (length(customer_id) between 1 and 255),
  invoice_id     text check (length(invoice_id) between 1 and 255),
  subscription_id  text check (length(subscription_id) between 1 and 255),
  charge_id      text check (length(charge_id) between 1 and 255),
  transaction_id text check (length(transaction_id) between 1 and 255),
  network_transaction_id  text check (length(network_transaction_id) between 1 and 255),
  has_user_agent boolean not null,
  has_public_ip  boolean not null,
  index_version  integer,
  email_index    bytea check (length(email_index) = 32),
  ip_index       bytea check (length(ip_index) = 32),
  sealed         bytea check (length(sealed) between 28 and 32768),
  captured_at    timestamptz not null,
  -- A dispute needs it: neither the clock nor a request erases it.
  legal_hold     boolean not null default false,
  primary key (merchant_id, analytics_id),
  foreign key (merchant_id, subject_id) references analytics_subjects (merchant_id, subject_id),
  foreign key (merchant_id, index_version) references analytics_index_keys (merchant_id, version),
  constraint analytics_has_a_payment_id
    check (state = 'erased' or coalesce(invoice_id, subscription_id, charge_id, transaction_id,
                                        network_transaction_id) is not null),
  constraint analytics_erased_is_empty
    check (state = 'erased'
           and coalesce(customer_id, invoice_id, subscription_id, charge_id, transaction_id,
                        network_transaction_id) is null
           and coalesce(email_index, ip_index, sealed) is null and index_version is null
           and not has_user_agent and not has_public_ip and not legal_hold
        or state <> 'erased'
           and email_index is not null and ip_index is not null and sealed is not null
           and index_version is not null)
);
create index analytics_subject on analytics (merchant_id, subject_id);
create index analytics_email on analytics (merchant_id, email_index) where email_index is not null;
create index analytics_ip on analytics (merchant_id, ip_index) where ip_index is not null;
create index analytics_invoice on analytics (merchant_id, invoice_id)
  where invoice_id is not null;
create index analytics_subscription on analytics (merchant_id, subscription_id)
  where subscription_id is not null;
create index analytics_charge on analytics (merchant_id, charge_id) where charge_id is not null;
create index analytics_transaction on analytics (merchant_id, transaction_id)
  where transaction_id is not null;
create index analytics_network_transaction on analytics (merchant_id, network_transaction_id)
  where network_transaction_id is not null;
-- For the retention clock alone: rows are written in the order of their times.
create index analytics_clock on analytics using brin (captured_at);
