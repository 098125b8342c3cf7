-- The constraints of 0176, held against the rows that are there: read without a lock on writers.
alter table psp_transactions validate constraint psp_transactions_card;
alter table psp_transactions validate constraint psp_transactions_card_lengths;
alter table psp_transactions validate constraint psp_transactions_hard_declines_are_declines;
alter table card_attempts validate constraint card_attempts_own_are_legacy;
