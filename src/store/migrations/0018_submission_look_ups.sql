-- A submission whose answer was lost is settled by the PSP's record without anybody asking again: the
-- look-up is due on its own row, later each time, until the ladder ends and a person has to look.
alter table dispute_submissions
  add column look_ups         integer not null default 0 check (look_ups >= 0),
  add column next_look_up_at  timestamptz,
  add constraint dispute_submissions_look_up_open
    check (next_look_up_at is null or state in ('submitting', 'unknown'));

-- Those that are open already are looked up from the next round on.
update dispute_submissions set next_look_up_at = updated_at + interval '10 minutes'
where state in ('submitting', 'unknown');

create index dispute_submissions_look_up_due on dispute_submissions (next_look_up_at)
  where next_look_up_at is not null;
