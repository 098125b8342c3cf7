-- How many cards come near a network's limit, for the overview: counted over 30 days of charges by a
-- duty, and by a look at the overview where the last count is old. Few rows: each merchant's networks.
create table card_limit_rollups (
  merchant_id  text not null,
  network      text not null,
  near         bigint not null check (near > 0),
  spent        bigint not null check (spent between 0 and near),
  primary key (merchant_id, network)
);

alter table rollup_progress
  drop constraint rollup_progress_name_check,
  add constraint rollup_progress_name_check check (name in ('payments', 'charges', 'card_limits'));
insert into rollup_progress (name, through_at) values ('card_limits', '-infinity');
