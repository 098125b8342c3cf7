-- Comparisons of an account's charges with the PSP's own list of them: one row for each run, with its
-- place. purpose restore: what was charged after the backup that this database came from is recorded.
create table reconciliations (
  merchant_id         text not null references merchants,
  run_id              text not null check (length(run_id) <= 64),
  psp                 text not null check (length(psp) between 1 and 32),
  connection_version  integer not null check (connection_version > 0),
  purpose             text not null check (purpose in ('reconcile', 'restore')),
  source              text not null check (source in ('api', 'report')),
  state               text not null check (state in ('running', 'done', 'no_list')),
  phase               text not null check (phase in ('theirs', 'adopt', 'ours', 'rest')),
  since               timestamptz not null,
  until               timestamptz not null check (until > since),
  place               text[] not null default '{}',
  pages               integer not null default 0,
  listed              bigint not null default 0,
  settled             bigint not null default 0,
  findings            bigint not null default 0,
  -- Why it waits: what the PSP said that did not give its list.
  detail              text check (length(detail) <= 500),
  started_at          timestamptz not null,
  updated_at          timestamptz not null,
  ended_at            timestamptz,
  primary key (merchant_id, run_id),
  constraint reconciliations_ended check ((state = 'running') = (ended_at is null))
);
create unique index reconciliations_one_running
  on reconciliations (merchant_id, psp, connection_version) where state = 'running';
create index reconciliations_started on reconciliations (started_at desc, merchant_id, run_id);

-- A report that was given instead of a list, as pages of charges.
create table reconciliation_pages (
  merchant_id  text not null,
  run_id       text not null,
  page         integer not null,
  charges      jsonb not null,
  primary key (merchant_id, run_id, page),
  foreign key (merchant_id, run_id) references reconciliations (merchant_id, run_id)
);

-- What a run has seen: keys of ours that the list held, and charges under keys of ours that the record
-- does not hold. Gone when the run ends.
create table reconciliation_charges (
  merchant_id  text not null,
  run_id       text not null,
  charge       text not null check (length(charge) between 1 and 255),
  missing      jsonb,
  primary key (merchant_id, run_id, charge),
  foreign key (merchant_id, run_id) references reconciliations (merchant_id, run_id)
);

-- Nothing is charged while one of them runs.
create table restore_checks (
  restored_from  timestamptz primary key,
  state          text not null check (state in ('running', 'done')),
  phase          text not null default 'payments' check (phase in ('payments', 'accounts')),
  place          text[] not null default '{"",""}',
  payments       bigint not null default 0,
  started_at     timestamptz not null,
  ended_at       timestamptz,
  constraint restore_checks_ended check ((state = 'done') = (ended_at is not null))
);

-- A success that became known after its charge was settled is announced later than it was charged: it
-- is counted on the day of its charge.
create or replace function announced_facts(e events)
returns table (day date, psp text, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(coalesce(t.settled_at, e.created_at)), coalesce(t.psp, p.psp),
         coalesce(t.connection_version, 0), s.currency, s.amount_minor
  from told_success(e.body) s
  join payments p on p.merchant_id = e.merchant_id and p.invoice_id = e.invoice_id
  left join lateral (
    select t.psp, t.connection_version, t.settled_at from psp_transactions t
    where t.merchant_id = e.merchant_id and t.attempt_id = e.attempt_id and t.state = 'succeeded'
    order by t.contradicts limit 1
  ) t on true
  where e.type = 'retry_result' and not exists (
    select from events o cross join lateral told_success(o.body) first
    where o.merchant_id = e.merchant_id and o.invoice_id = e.invoice_id and o.type = 'retry_result'
      and o.sequence < e.sequence)
$$;
