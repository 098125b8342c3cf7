-- Segments of a merchant (its products) that have a step of their own: the learned policy is judged there by
-- the segment's own payments, since what serves most may fail some. A segment without a row follows
-- its merchant. Whole keys stay few: at most some dozens of a merchant, written by one job.
create table learned_segments (
  merchant_id    text not null references merchants,
  segment        text not null check (length(segment) between 1 and 255),
  step           double precision not null check (step in (0, 0.1, 0.5, 0.9)),
  since          timestamptz not null,
  reason         text not null check (length(reason) <= 500),
  failed_trials  int not null check (failed_trials >= 0),
  -- The part of the model that lost the last trial.
  failed_use     text check (failed_use in ('coverage', 'belief')),
  primary key (merchant_id, segment)
);
