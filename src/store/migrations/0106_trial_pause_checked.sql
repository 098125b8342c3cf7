-- The checks of the migration before hold for every row: read while others go on writing.
alter table merchants validate constraint merchants_failed_trials;
alter table merchants validate constraint merchants_failed_use;
alter table models validate constraint models_activated_by;
