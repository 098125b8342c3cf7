-- The checks of the migration before hold for every row: read while others go on writing.
alter table events validate constraint events_type_check;
alter table replays validate constraint replays_type_check;
