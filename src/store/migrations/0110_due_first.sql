-- outside a transaction
-- What is due is found by its time first. By merchant first, whoever looked had to ask for each merchant
-- whether it has due work, and waited for the answer of all; a process that sleeps until the next due time
-- has to know that time of a table, not of each merchant. The indexes by merchant stay: by them each
-- merchant is given its share. Of the time in UTC, so that only who asks for it so reads these indexes: of
-- a young table the planner takes all rows to be one merchant's, and would look for a merchant's due rows
-- among everybody's.
create index concurrently if not exists requests_due_first
  on requests ((next_attempt_at at time zone 'UTC')) where next_attempt_at is not null;
create index concurrently if not exists payments_due_first
  on payments ((next_attempt_at at time zone 'UTC')) where next_attempt_at is not null;
create index concurrently if not exists psp_transactions_due_first
  on psp_transactions ((next_attempt_at at time zone 'UTC')) where next_attempt_at is not null;
create index concurrently if not exists deliveries_due_first
  on deliveries ((next_attempt_at at time zone 'UTC')) where next_attempt_at is not null;
