-- The check of the migration before holds for every row: read while others go on writing.
alter table events validate constraint events_of_an_invoice;
