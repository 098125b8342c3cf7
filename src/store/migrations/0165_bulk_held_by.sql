-- What holds the payments that a bulk action means: those that were set aside in an outage are retried together.
alter table bulk_actions
  add column held_by text,
  add constraint bulk_actions_held_by check (held_by in ('incident', 'set_aside', 'any', 'none')) not valid;
