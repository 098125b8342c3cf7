-- The check of the migration before holds for every row: read while others go on writing.
alter table service_keys validate constraint service_keys_use_check;
