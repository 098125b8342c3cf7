-- The constraint of 0186, held against the rows that are there: read without a lock on writers.
alter table psp_transactions validate constraint psp_transactions_charge_needs_a_yes;
