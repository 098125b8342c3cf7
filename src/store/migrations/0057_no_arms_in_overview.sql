-- The overview no longer has a comparison of its own: its arms counted whatever was not held out for the
-- learned policy, and the uplift report has the only one. Its sums are added up over the arms.
alter table rolled_up_payments drop column arm;

create table of_all_arms as
  select merchant_id, day, currency, category, outcome, sum(payments)::bigint as payments,
         sum(amount_minor)::bigint as amount_minor, sum(attempts)::bigint as attempts
  from cohort_rollups group by 1, 2, 3, 4, 5;
truncate cohort_rollups;
alter table cohort_rollups
  drop constraint cohort_rollups_pkey,
  drop column arm,
  add primary key (merchant_id, day, currency, category, outcome);
insert into cohort_rollups
  (merchant_id, day, currency, category, outcome, payments, amount_minor, attempts)
select * from of_all_arms;
drop table of_all_arms;

create table of_all_arms as
  select merchant_id, hour, currency, sum(payments)::bigint as payments,
         sum(amount_minor)::bigint as amount_minor
  from recovered_rollups group by 1, 2, 3;
truncate recovered_rollups;
alter table recovered_rollups
  drop constraint recovered_rollups_pkey,
  drop column arm,
  add primary key (merchant_id, hour, currency);
insert into recovered_rollups (merchant_id, hour, currency, payments, amount_minor)
select * from of_all_arms;
drop table of_all_arms;
