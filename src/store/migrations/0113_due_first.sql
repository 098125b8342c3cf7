-- outside a transaction
-- What is due is found by its time first. By merchant first, whoever looked had to ask for each merchant
-- whether it has due work, and waited for the answer of all; a process that sleeps until the next due time
-- has to know that time of a table, not of each merchant. The indexes by merchant stay: by them each
-- merchant is given its share. Of an expression, so that who asks for one of the two reads no other: of a
-- young table the planner takes all rows to be one merchant's and none to be due, and would look for a
-- merchant's due rows among everybody's, or for the earliest of all among each merchant's.
create index concurrently if not exists requests_due_first
  on requests ((coalesce(next_attempt_at, 'infinity')))
  where coalesce(next_attempt_at, 'infinity') < 'infinity';
create index concurrently if not exists payments_due_first
  on payments ((coalesce(next_attempt_at, 'infinity')))
  where coalesce(next_attempt_at, 'infinity') < 'infinity';
create index concurrently if not exists psp_transactions_due_first
  on psp_transactions ((coalesce(next_attempt_at, 'infinity')))
  where coalesce(next_attempt_at, 'infinity') < 'infinity';
create index concurrently if not exists deliveries_due_first
  on deliveries ((coalesce(next_attempt_at, 'infinity')))
  where coalesce(next_attempt_at, 'infinity') < 'infinity';
create index concurrently if not exists endpoint_deliveries_due_first
  on endpoint_deliveries ((coalesce(next_attempt_at, 'infinity')))
  where coalesce(next_attempt_at, 'infinity') < 'infinity';
