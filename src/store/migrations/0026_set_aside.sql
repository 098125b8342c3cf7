-- Work that fails each time that it is done, and results that are told a second time.

-- failures: how often in a row the row's work threw. After a few it is set aside, with the error's code
-- and our words, and due no more until the operator has it done again. So is a payment whose tries reach
-- no PSP, time after time.
alter table payments
  add column failures          integer not null default 0,
  add column set_aside_at      timestamptz,
  add column set_aside_reason  text check (length(set_aside_reason) <= 500),
  add constraint payments_set_aside_is_not_due
    check (set_aside_at is null or next_attempt_at is null),
  add constraint payments_set_aside_says_why
    check ((set_aside_at is null) = (set_aside_reason is null));
create index payments_set_aside on payments (merchant_id, set_aside_at)
  where set_aside_at is not null;

alter table psp_transactions
  add column failures          integer not null default 0,
  add column set_aside_at      timestamptz,
  add column set_aside_reason  text check (length(set_aside_reason) <= 500),
  add constraint psp_transactions_set_aside_is_not_due
    check (set_aside_at is null or next_attempt_at is null),
  add constraint psp_transactions_set_aside_says_why
    check ((set_aside_at is null) = (set_aside_reason is null));
create index psp_transactions_set_aside on psp_transactions (merchant_id, set_aside_at)
  where set_aside_at is not null;

alter table deliveries
  add column failures          integer not null default 0,
  add column set_aside_at      timestamptz,
  add column set_aside_reason  text check (length(set_aside_reason) <= 500),
  drop constraint deliveries_due_while_pending,
  add constraint deliveries_due_while_pending
    check ((state = 'pending' and set_aside_at is null) = (next_attempt_at is not null)),
  add constraint deliveries_set_aside_says_why
    check ((set_aside_at is null) = (set_aside_reason is null));
create index deliveries_set_aside on deliveries (merchant_id, set_aside_at)
  where set_aside_at is not null;

alter table requests
  add column failures          integer not null default 0,
  add column set_aside_at      timestamptz,
  add column set_aside_reason  text check (length(set_aside_reason) <= 500),
  drop constraint requests_due_while_accepted,
  add constraint requests_due_while_accepted
    check ((state = 'accepted' and set_aside_at is null) = (next_attempt_at is not null)),
  add constraint requests_set_aside_says_why
    check ((set_aside_at is null) = (set_aside_reason is null));
create index requests_set_aside on requests (merchant_id, set_aside_at)
  where set_aside_at is not null;

-- An attempt is told once. Where a charge of it turns out to have been made after that, what became of
-- it is told again: beside the promise of one.
alter table events add column is_late boolean not null default false;
drop index events_one_per_attempt;
create unique index events_one_per_attempt on events (merchant_id, attempt_id)
  where attempt_id is not null and not is_late;
