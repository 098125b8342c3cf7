-- The checks of the migration before hold for every row: read while others go on writing.
alter table merchants validate constraint merchants_webhook_pause_after_days;
alter table merchants validate constraint merchants_webhook_paused_by;
alter table secrets validate constraint secrets_kind_check;
alter table replays validate constraint replays_endpoint_id;
