-- The checks of the migration before hold for every row: read while others go on writing.
alter table deliveries validate constraint deliveries_last_answer;
alter table delivery_tries validate constraint delivery_tries_answer;
