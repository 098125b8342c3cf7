-- How much of a merchant's traffic the learned policy plans: by steps that its own payments earn, or
-- by hand. Schedules that nobody chose are an even spread from now on.

alter table merchants
  -- Null: by steps.
  add column learned_share  double precision check (learned_share between 0 and 1),
  add column learned_step   double precision not null default 0
    check (learned_step in (0, 0.1, 0.5, 0.9)),
  add column learned_since  timestamptz,
  add column learned_words  text not null default '' check (length(learned_words) <= 500);

-- The old default was chosen by nobody, and is what a learned policy is compared with.
update merchants
set fixed_days = array(
  select distinct floor(window_days::numeric * n / max_attempts)::int as day
  from generate_series(1, max_attempts) as n
  where floor(window_days::numeric * n / max_attempts) >= 1
  order by day)
where policy_kind = 'learned' and fixed_days = '{1,3,5,7}';
