-- The constraints of 0220, held against the rows that are there: read without a lock on writers.
alter table psp_transactions validate constraint psp_transactions_carries_its_attempt;
alter table psp_transactions validate constraint psp_transactions_charge_needs_a_yes;
alter table psp_transactions validate constraint psp_transactions_merchant_id_invoice_id_fkey;
