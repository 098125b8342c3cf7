-- outside a transaction
-- The few rows that have it. No step of a recovery touches the column, so none costs an entry here.
create index concurrently if not exists payments_that_rest on payments (rests_since) where rests_since is not null;
