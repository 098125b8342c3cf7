-- The check of the migration before holds for every row: read while others go on writing.
alter table credentials validate constraint credentials_prefix_check;
