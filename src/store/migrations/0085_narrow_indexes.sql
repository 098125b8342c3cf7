-- outside a transaction
-- Two indexes that jobs alone read, in the order of a time, held the whole key besides it: text that every
-- change of a payment and every charge wrote again. Rows of one moment are few, and sorted when they are read.
-- Whoever compares one account's charges with its PSP's passes over other merchants' in the index itself.
create index concurrently if not exists payments_changed on payments (updated_at);
drop index concurrently if exists payments_updated;
create index concurrently if not exists psp_transactions_settled
  on psp_transactions (settled_at, merchant_id) where state in ('succeeded', 'declined');
drop index concurrently if exists psp_transactions_settled_at;
