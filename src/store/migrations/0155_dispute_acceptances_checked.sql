-- The checks of the migration before hold for every row: read while others go on writing.
alter table dispute_submissions validate constraint dispute_submissions_kind_state;
alter table dispute_submissions validate constraint dispute_submissions_open_look_up;
