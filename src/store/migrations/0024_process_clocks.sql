-- How the clock of each process stands to the database's, as the process itself measured it: so that
-- the operator's API tells of every worker, in whatever process it is asked.
create table process_clocks (
  process_id     text primary key,
  roles          text[] not null,
  ahead_ms       double precision not null,
  uncertainty_ms double precision not null,
  held_code      text,
  held_words     text,
  held_since     timestamptz,
  seen_at        timestamptz not null
);
