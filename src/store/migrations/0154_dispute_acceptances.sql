-- A dispute that is not contested is accepted at its PSP: that gives the money away for good. It is the other answer that a
-- stage can have, and a stage has one, so it stands in the same row: the row commits before the call, its fence lets one
-- caller through, and nothing is submitted beside it. accepting: the call is on its way, or whoever made it ended. failed and
-- unknown mean what they mean of evidence. An acceptance has no packet; the checks keep the two kinds apart, so that a release
-- from before, which knows evidence alone, cannot begin an answer over an acceptance.
alter table dispute_submissions
  add column kind text not null default 'evidence',
  alter column content_hash drop not null,
  drop constraint dispute_submissions_state_check,
  drop constraint dispute_submissions_look_up_open,
  add constraint dispute_submissions_kind_state check (
    (kind = 'evidence' and content_hash is not null
      and state in ('staging', 'staged', 'submitting', 'submitted', 'failed', 'unknown'))
    or (kind = 'acceptance' and content_hash is null and reference is null
      and state in ('accepting', 'accepted', 'failed', 'unknown'))) not valid,
  add constraint dispute_submissions_open_look_up
    check (next_look_up_at is null or state in ('submitting', 'accepting', 'unknown')) not valid;
