-- The charges that succeeded in this month and the one before, by merchant and the scheme of their cards: what the
-- networks' ratios are divided by. Counting them for each look read two months of charges, more than a second at a
-- million payments. All are counted at once, ten minutes after the last count at the earliest, when somebody looks
-- and by the job that keeps the other sums: a scheme that is learned later, and a charge that is reported later,
-- move what was counted long before, and nothing tells of either cheaply.
create table settled_charges (
  merchant_id  text not null,
  -- Its first day, UTC.
  month        date not null check (extract(day from month) = 1),
  -- As the method was reported; empty where it is not known.
  scheme       text not null,
  charges      integer not null check (charges > 0),
  primary key (merchant_id, month, scheme)
);

alter table rollup_progress
  drop constraint rollup_progress_name_check,
  add constraint rollup_progress_name_check
    check (name in ('payments', 'charges', 'card_limits', 'uplift', 'uplift_disputes', 'settled_charges')) not valid;
insert into rollup_progress (name, through_at) values ('settled_charges', '-infinity');
