-- The constraint of 0252, held against the rows that are there: read without a lock on writers.
alter table psp_transactions validate constraint psp_transactions_has_its_turn;
