-- Disputes and fraud warnings, and which capture of a checkout belongs to each. What a PSP sent stays
-- sealed in psp_events; here stands only what Recoup acts on. Stage and status are two columns, since a
-- dispute that was won may come back in its next stage.

create table disputes (
  merchant_id      text not null references merchants,
  dispute_id       text not null check (length(dispute_id) between 1 and 64),
  psp              text not null check (length(psp) between 1 and 32),
  psp_dispute_id   text not null check (length(psp_dispute_id) between 1 and 255),
  -- Who told of it: the PSP by a signed webhook, or the merchant by the API.
  origin           text not null check (origin in ('psp', 'merchant')),
  kind             text not null check (kind in ('dispute', 'fraud_warning')),
  stage            text check (stage in ('inquiry', 'pre_dispute', 'chargeback', 'pre_arbitration',
                                         'arbitration', 'compliance')),
  status           text check (status in ('needs_response', 'under_review', 'won', 'lost', 'accepted',
                                          'expired', 'prevented', 'closed')),
  -- When the PSP said so: what it says of an earlier time changes nothing.
  state_at         timestamptz not null,
  stage_begun_at   timestamptz not null,
  network          text check (length(network) <= 32),
  reason           text check (length(reason) <= 500),
  reason_code      text check (length(reason_code) between 1 and 64),
  reason_family    text check (reason_family in ('fraud', 'authorisation', 'processing', 'consumer')),
  amount_minor     bigint check (amount_minor between 0 and 999999999999),
  currency         text check (currency ~ '^[A-Z]{3}$'),
  opened_at        timestamptz not null,
  charged_at       timestamptz,
  respond_by       timestamptz,
  respond_by_source  text check (length(respond_by_source) <= 200),
  is_psp_deadline  boolean,
  -- Every name that the PSP has for the payment.
  payment_ids      text[] not null check (cardinality(payment_ids) <= 10),
  merchant_reference      text check (length(merchant_reference) between 1 and 255),
  idempotency_key         text check (length(idempotency_key) between 1 and 255),
  network_transaction_id  text check (length(network_transaction_id) between 1 and 255),
  invoice_id              text check (length(invoice_id) between 1 and 255),
  subscription_id         text check (length(subscription_id) between 1 and 255),
  customer_id             text check (length(customer_id) between 1 and 255),
  psp_customer_id         text check (length(psp_customer_id) between 1 and 255),
  payment_method_id       text check (length(payment_method_id) between 1 and 255),
  card_fingerprint        text check (length(card_fingerprint) between 1 and 255),
  unsigned_fields  text[] not null default '{}',
  -- A card whose holder disputes a charge, or whose bank reports fraud, is not charged again.
  blocks_retries   boolean not null generated always as
    (kind = 'fraud_warning' or status in ('needs_response', 'under_review')) stored,
  match_state      text not null default 'pending'
    check (match_state in ('pending', 'matched', 'conflict', 'review', 'none')),
  matched_at       timestamptz,
  -- The least number of days left of which was warned.
  warned_days      integer check (warned_days in (1, 3, 7)),
  created_at       timestamptz not null,
  updated_at       timestamptz not null,
  primary key (merchant_id, dispute_id),
  constraint disputes_state_of_its_kind
    check ((kind = 'dispute') = (stage is not null) and (kind = 'dispute') = (status is not null)),
  constraint disputes_money_is_whole check ((amount_minor is null) = (currency is null)),
  constraint disputes_deadline_has_a_source
    check ((respond_by is null) = (respond_by_source is null)
           and (respond_by is null) = (is_psp_deadline is null)),
  constraint disputes_matched_when check ((match_state = 'pending') = (matched_at is null))
);
create unique index disputes_psp_id on disputes (merchant_id, psp, psp_dispute_id);
create index disputes_opened on disputes (merchant_id, opened_at, dispute_id);
-- The operator's list of all merchants.
create index disputes_opened_all on disputes (opened_at, dispute_id);
create index disputes_due on disputes (respond_by, merchant_id, dispute_id)
  where respond_by is not null and status = 'needs_response';
create index disputes_blocked_method on disputes (merchant_id, payment_method_id)
  where blocks_retries and payment_method_id is not null;
create index disputes_blocked_card on disputes (merchant_id, card_fingerprint)
  where blocks_retries and card_fingerprint is not null;
create index disputes_blocked_customer on disputes (merchant_id, psp_customer_id)
  where blocks_retries and payment_method_id is null and psp_customer_id is not null;
-- Those that a later capture may belong to.
create index disputes_unmatched on disputes (matched_at nulls first, merchant_id, dispute_id)
  where match_state <> 'matched';

-- Each change of the stage or the status, by the PSP's own time.
create table dispute_changes (
  merchant_id  text not null,
  dispute_id   text not null,
  state        text not null check (length(state) between 1 and 64),
  stage        text,
  status       text,
  occurred_at  timestamptz not null,
  recorded_at  timestamptz not null,
  primary key (merchant_id, dispute_id, occurred_at, state),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);

-- The captures that have something in common with a dispute, the best first, with the reasons. A
-- conflict keeps all that are equal: a person decides. The capture has its own table, and its own end.
create table dispute_matches (
  merchant_id   text not null,
  dispute_id    text not null,
  analytics_id  text not null check (length(analytics_id) between 1 and 64),
  rank          integer not null check (rank > 0),
  score         integer not null check (score between 1 and 100),
  reasons       text[] not null check (cardinality(reasons) > 0),
  is_inherited  boolean not null,
  primary key (merchant_id, dispute_id, analytics_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);
create unique index dispute_matches_rank on dispute_matches (merchant_id, dispute_id, rank);

-- The customer's checkouts are looked for where nothing names the charge's own.
create index analytics_customer on analytics (merchant_id, customer_id, captured_at)
  where customer_id is not null;

-- Whose charge is disputed: the reported transactions that succeeded had no index by the PSP's id.
create index transactions_paid_psp_transaction on transactions (merchant_id, psp_transaction_id)
  where success;

-- The charges of a subscription, the first of which had a checkout.
create index transactions_paid_subscription on transactions (merchant_id, subscription_id, occurred_at)
  where success;

alter table payments
  drop constraint payments_stop_reason_check,
  add constraint payments_stop_reason_check
    check (stop_reason in ('merchant_declined_retry', 'merchant_stop', 'invoice_not_found',
                           'recovered_elsewhere', 'invoice_closed', 'disputed'));
