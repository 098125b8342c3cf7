-- The zone in whose days a merchant's people count: a range of days that is chosen on the dashboard may begin and
-- end in it, whoever looks from wherever. A constant default writes no row, and takes the table for a moment.
alter table merchants
  add column time_zone text not null default 'UTC',
  add constraint merchants_time_zone check (length(time_zone) between 1 and 64) not valid;
