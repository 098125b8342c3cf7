-- The last send of a delivery stands on the delivery itself, and goes to the log of sends when another
-- one follows: a delivery that is acknowledged at once, as nearly all are, writes no line of its own.

-- Null: the last send was logged by an earlier version, or there was none yet.
alter table deliveries
  add column last_sent_at      timestamptz,
  add column last_duration_ms  integer,
  add constraint deliveries_last_send check ((last_sent_at is null) = (last_duration_ms is null));

-- Every send, wherever it stands.
create view delivery_sends as
  select merchant_id, event_id, number, sent_at, status, error, duration_ms from delivery_tries
  union all
  select merchant_id, event_id, tries, last_sent_at, last_status, last_error, last_duration_ms
  from deliveries where last_sent_at is not null;
