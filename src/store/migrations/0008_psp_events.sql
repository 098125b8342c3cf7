-- What PSPs told by webhook. An event is noted once it has been worked through, so that a repetition
-- does nothing; a crash in between costs nothing, since each effect is idempotent by itself.
--
-- Only the bodies of disputes are kept, for the work on disputes, and sealed under the merchant's
-- data key: they hold personal data. Of all others what they mean stands in the tables they moved.

create table psp_events (
  merchant_id    text not null references merchants,
  psp            text not null check (length(psp) between 1 and 32),
  event_id       text not null check (length(event_id) between 1 and 255),
  type           text not null check (length(type) between 1 and 255),
  kind           text not null
    check (kind in ('billing_attempt', 'payment_method_updates', 'charge_settled', 'invoice_closed',
                    'dispute', 'not_used')),
  -- What Recoup made of it; `contradiction` is for a person to look into.
  outcome        text not null
    check (outcome in ('accepted', 'unusable', 'charge_settled', 'already_settled', 'charge_unknown',
                       'contradiction', 'recovery_stopped', 'nothing_to_stop', 'dispute_kept',
                       'nothing_to_do')),
  invoice_id     text check (length(invoice_id) between 1 and 255),
  psp_transaction_id  text check (length(psp_transaction_id) between 1 and 255),
  occurred_at    timestamptz not null,
  received_at    timestamptz not null,
  key_version    integer,
  sealed_body    bytea check (length(sealed_body) between 33 and 1114112),
  primary key (merchant_id, psp, event_id),
  foreign key (merchant_id, key_version) references data_keys (merchant_id, version),
  constraint psp_events_body_of_a_dispute check ((kind = 'dispute') = (sealed_body is not null)),
  constraint psp_events_body_has_a_key check ((sealed_body is null) = (key_version is null))
);
create index psp_events_received on psp_events (merchant_id, received_at, psp, event_id);
-- For the daily trim of old rows alone: rows are written in the order of their times.
create index psp_events_trim on psp_events using brin (received_at);

-- Invoices of which nothing is owed any more. Remembered apart from the event, and before it is noted:
-- the failure of such an invoice may be told later than its end, and must not begin a recovery.
create table closed_invoices (
  merchant_id  text not null references merchants,
  invoice_id   text not null check (length(invoice_id) between 1 and 255),
  reason       text not null check (length(reason) <= 500),
  closed_at    timestamptz not null,
  primary key (merchant_id, invoice_id)
);

-- The PSP's own invoice, where the payment is one: paying it there marks it paid there.
alter table payments
  add column psp_invoice_id text check (length(psp_invoice_id) between 1 and 255),
  drop constraint payments_stop_reason_check,
  add constraint payments_stop_reason_check
    check (stop_reason in ('merchant_declined_retry', 'merchant_stop', 'invoice_not_found',
                           'recovered_elsewhere', 'invoice_closed'));
