-- Two events for merchants that ask for them: no retry can recover a payment any more until its customer
-- does something, and that has been settled one way or the other. Rows that are there already have one of
-- the kinds of before, so the wider checks hold for them; the next migration says so to the database.
alter table merchants add column customer_action_events boolean not null default false;

alter table events
  drop constraint events_type_check,
  add constraint events_type_check check (type in (
    'retry_result', 'end_of_dunning', 'incident', 'customer_action_required',
    'customer_action_resolved')) not valid;

alter table replays
  drop constraint replays_type_check,
  add constraint replays_type_check check (type in (
    'retry_result', 'end_of_dunning', 'incident', 'customer_action_required',
    'customer_action_resolved')) not valid;
