-- Quick sends: a merchant may ask that a webhook which was not acknowledged is sent again within the first
-- hour already, before the 12-hour marks of the interface, since a minute's outage delays a result by half
-- a day otherwise. And the beginning of an answer that did not acknowledge is kept beside its status: what
-- the merchant's server said went wrong. An acknowledgement keeps none, so nearly all rows stay as they are.
alter table merchants add column webhook_quick_sends boolean not null default false;

alter table deliveries
  add column last_answer text,
  add constraint deliveries_last_answer check (length(last_answer) <= 1000) not valid;
alter table delivery_tries
  add column answer text,
  add constraint delivery_tries_answer check (length(answer) <= 1000) not valid;

create or replace view delivery_sends as
  select merchant_id, event_id, number, sent_at, status, error, duration_ms, answer from delivery_tries
  union all
  select merchant_id, event_id, tries, last_sent_at, last_status, last_error, last_duration_ms, last_answer
  from deliveries where last_sent_at is not null;
