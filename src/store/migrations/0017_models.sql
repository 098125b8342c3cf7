-- The learned policy: merchants that chose it, the models that plan for them, and their training.

alter table merchants drop constraint merchants_policy_kind_check;
alter table merchants
  add constraint merchants_policy_kind_check check (policy_kind in ('fixed', 'even', 'learned')),
  -- Null: the default.
  add column holdout_share  double precision check (holdout_share between 0 and 0.5),
  add column explore_share  double precision check (explore_share between 0 and 0.2);

-- A model is of one merchant, or of all that have none of their own: merchant_id is '*' then, so that
-- the key stays the same. drift: what was foretold and what came since it plans. distrust: why it
-- plans no more, until another one is active.
create table models (
  merchant_id   text not null check (length(merchant_id) between 1 and 64),
  model_id      text not null check (length(model_id) between 1 and 64),
  status        text not null check (status in ('candidate', 'active', 'retired')),
  origin        text not null check (origin in ('shipped', 'trained')),
  metrics       jsonb not null,
  parameters    jsonb not null,
  drift         jsonb,
  distrust      text check (length(distrust) between 1 and 500),
  created_at    timestamptz not null,
  activated_at  timestamptz,
  retired_at    timestamptz,
  primary key (merchant_id, model_id),
  constraint models_active_since check (status = 'candidate' or activated_at is not null),
  constraint models_retired_since check ((status = 'retired') = (retired_at is not null)),
  constraint models_distrust_the_active check (distrust is null or status <> 'candidate')
);
create unique index models_one_active on models (merchant_id) where status = 'active';

-- The last training of each scope: what `recoup train` shows while it runs.
create table trainings (
  merchant_id   text primary key check (length(merchant_id) between 1 and 64),
  state         text not null check (state in ('queued', 'reading', 'training', 'done', 'failed')),
  tries         integer not null default 0 check (tries >= 0),
  words         text not null default '' check (length(words) <= 500),
  model_id      text check (length(model_id) between 1 and 64),
  requested_at  timestamptz not null,
  updated_at    timestamptz not null
);

-- What models are judged by is the newest part of a table that grows by time: a block range index
-- finds it, and costs the hot inserts next to nothing. Outages are read off card_attempts, whose own
-- one comes with 0020.
create index attempts_started on attempts using brin (started_at) with (autosummarize = on);
