-- What the operator sees and asks of policies: since when a merchant's stands as it is, since when a
-- model is not trusted, and what-ifs.

-- Null: since the merchant was created.
alter table merchants add column policy_since timestamptz;
update merchants m
set policy_since = a.at
from (select merchant_id, max(at) as at from audit_log
      where action = 'merchant.changed' and detail -> 'changed' ? 'policy'
      group by merchant_id) a
where a.merchant_id = m.merchant_id;

-- Null beside a distrust: it is older than this column.
alter table models
  add column distrusted_at timestamptz,
  add constraint models_distrusted_since check (distrusted_at is null or distrust is not null);

-- A back-test of one policy, window and number of tries on a merchant's own charges. Asked for again,
-- it is the same row: its last result stays until the next one is there.
create table what_ifs (
  merchant_id   text not null references merchants,
  policy        text not null check (policy in ('learned', 'fixed', 'even')),
  window_days   integer not null check (window_days between 1 and 60),
  max_tries     integer not null check (max_tries between 1 and 20),
  what_if_id    text not null unique check (length(what_if_id) between 1 and 64),
  fixed_days    integer[] not null,
  state         text not null check (state in ('queued', 'reading', 'testing', 'done', 'failed')),
  charges       integer not null default 0 check (charges >= 0),
  words         text not null default '' check (length(words) <= 500),
  result        jsonb,
  requested_at  timestamptz not null,
  updated_at    timestamptz not null,
  completed_at  timestamptz,
  primary key (merchant_id, policy, window_days, max_tries),
  constraint what_ifs_result_has_time check ((result is null) = (completed_at is null)),
  constraint what_ifs_done_has_result check (state <> 'done' or result is not null)
);
