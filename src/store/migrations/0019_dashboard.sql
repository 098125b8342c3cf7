-- What the dashboard asks for, by the ids that it has. The time line of a payment is put together from
-- everything that names the payment's invoice; these three tables had no way to be asked by it.

create index audit_log_invoice on audit_log (merchant_id, (detail ->> 'invoice_id'))
  where detail ->> 'invoice_id' is not null;
create index psp_events_invoice on psp_events (merchant_id, invoice_id)
  where invoice_id is not null;
create index disputes_invoice on disputes (merchant_id, invoice_id)
  where invoice_id is not null;

-- Roll-ups: sums that a duty keeps, so that the overview of a million payments is the sum of some
-- thousand rows. A payment changes many times. What of it was counted stands in payment_marks, so that
-- counting it again adds the difference alone, however often it is read.

-- Which payments changed since the last run, whichever merchant's they are.
create index payments_updated on payments (updated_at, merchant_id, invoice_id);

create table payment_marks (
  merchant_id   text not null,
  invoice_id    text not null,
  day           date not null,
  currency      text not null,
  category      text not null,
  arm           text not null check (arm in ('none', 'treated', 'holdout')),
  outcome       text not null check (outcome in ('open', 'recovered', 'stopped', 'exhausted')),
  amount_minor  bigint not null,
  attempts      integer not null,
  recovered_hour  timestamptz,
  due_hour        timestamptz,
  primary key (merchant_id, invoice_id)
);

-- Payments by the UTC day on which their recovery began, and what became of them. A row that is taken
-- from is never below zero in the end; a CHECK would look at the difference that is being added.
create table cohort_rollups (
  merchant_id   text not null,
  day           date not null,
  currency      text not null,
  category      text not null,
  arm           text not null,
  outcome       text not null,
  payments      bigint not null,
  amount_minor  bigint not null,
  attempts      bigint not null,
  primary key (merchant_id, day, currency, category, arm, outcome)
);
-- Money at risk is that of every open payment, however old.
create index cohort_rollups_open on cohort_rollups (merchant_id, currency)
  include (payments, amount_minor) where outcome = 'open';

-- Recovered money by the hour in which it came.
create table recovered_rollups (
  merchant_id   text not null,
  hour          timestamptz not null,
  currency      text not null,
  arm           text not null,
  payments      bigint not null,
  amount_minor  bigint not null,
  primary key (merchant_id, hour, currency, arm)
);

-- Attempts by the hour for which they are planned.
create table planned_rollups (
  merchant_id  text not null,
  hour         timestamptz not null,
  category     text not null,
  attempts     bigint not null,
  primary key (merchant_id, hour, category)
);

-- Settled charges never change again: each is counted once, when it lies far enough behind that none
-- before it can still be committed.
create index psp_transactions_settled_at
  on psp_transactions (settled_at, merchant_id, attempt_id, ordinal)
  where state in ('succeeded', 'declined');

create table charge_hour_rollups (
  merchant_id  text not null,
  hour         timestamptz not null,
  tries        bigint not null check (tries > 0),
  successes    bigint not null check (successes between 0 and tries),
  primary key (merchant_id, hour)
);

-- dimension: days since the payment failed, the code of its first decline, the card's first digits.
create table charge_cause_rollups (
  merchant_id  text not null,
  day          date not null,
  dimension    text not null check (dimension in ('days_since_failure', 'decline_code', 'bin')),
  bucket       text not null check (length(bucket) <= 64),
  tries        bigint not null check (tries > 0),
  successes    bigint not null check (successes between 0 and tries),
  primary key (merchant_id, day, dimension, bucket)
);

-- How far each roll-up has come: the last row that was counted. through_at: everything that changed
-- before it is counted.
create table rollup_progress (
  name         text primary key check (name in ('payments', 'charges')),
  through_at   timestamptz not null,
  begun_at     timestamptz,
  cursor_at    timestamptz,
  cursor_keys  text[],
  constraint rollup_progress_is_whole
    check ((begun_at is null) = (cursor_at is null) and (cursor_at is null) = (cursor_keys is null))
);
insert into rollup_progress (name, through_at) values ('payments', '-infinity'), ('charges', '-infinity');
