-- Columns and a table that had names of our own get those of the trade.

-- revision counts the changes of a payment from outside: a plan is written only against the revision
-- that it was made from. 0003 says more of it under its old name, signals.
alter table payments rename column signals to revision;

-- A hard decline may forbid the card for longer than any window of the networks' rules.
alter table card_attempts rename column lasting to hard_decline;
alter table card_attempts
  rename constraint card_attempts_lasting_are_declines to card_attempts_hard_declines_are_declines;

-- What the roll-ups have counted of each payment.
alter table payment_marks rename to rolled_up_payments;
alter index payment_marks_pkey rename to rolled_up_payments_pkey;
alter table rolled_up_payments
  rename constraint payment_marks_arm_check to rolled_up_payments_arm_check;
alter table rolled_up_payments
  rename constraint payment_marks_outcome_check to rolled_up_payments_outcome_check;

alter table process_clocks rename column held_words to held_message;
alter table merchants rename column learned_words to learned_reason;
