-- Control totals: what three tables say of the same money, kept apart, so that they can be held against
-- each other. Triggers write each change of a fact as an entry; nothing else has to remember to. A duty
-- folds entries into totals. Entries are only ever appended: charges at the same time share no row.

-- kind: charged, declined: charges at the PSP, by psp_transactions; a second success of a debt is an
-- incident and is not among them. recovered: payments, by payments and
-- attempts. announced: successes, by the bodies of events. created: events, by events. delivered, pending,
-- exhausted: events, by deliveries. Facts of no account have psp '' and version 0; events have
-- currency ''. day: the UTC day of the fact.
-- The account that a charge was sent through, where an earlier migration has not added it.
alter table psp_transactions
  add column if not exists connection_version integer not null default 1;

create table control_entries (
  merchant_id         text not null,
  entry               bigint generated always as identity,
  day                 date not null,
  psp                 text not null,
  connection_version  integer not null,
  currency            text not null,
  kind                text not null,
  items               bigint not null,
  amount_minor        bigint not null
);

-- stated_on: the day in whose statement the sum stands: the fact's own, or a later one where that day's
-- statement was made already; -infinity: of before there were statements.
create table control_totals (
  merchant_id         text not null,
  day                 date not null,
  psp                 text not null,
  connection_version  integer not null,
  currency            text not null,
  kind                text not null check (kind in ('charged', 'declined', 'recovered', 'announced',
                        'created', 'delivered', 'pending', 'exhausted', 'refunded', 'incidents')),
  stated_on           date not null,
  items               bigint not null,
  amount_minor        bigint not null,
  primary key (merchant_id, day, psp, connection_version, currency, kind, stated_on)
);
create index control_totals_stated on control_totals (merchant_id, stated_on);

-- Where the totals of one account, currency and day do not agree. Empty is health.
create table control_differences (
  merchant_id         text not null,
  day                 date not null,
  psp                 text not null,
  connection_version  integer not null,
  currency            text not null,
  found_at            timestamptz not null,
  primary key (merchant_id, day, psp, connection_version, currency)
);

-- One row: held by whoever folds, makes statements or rebuilds.
create table control_progress (
  only_row    boolean primary key default true check (only_row),
  through_at  timestamptz not null
);
insert into control_progress (through_at) values ('-infinity');

-- Decimals of a currency, as domain/money has them; a test holds the two lists against each other.
create function currency_decimals(currency text) returns integer language sql immutable as $$
  select case
    when currency in ('BIF', 'CLP', 'DJF', 'GNF', 'ISK', 'JPY', 'KMF', 'KRW', 'PYG', 'RWF', 'UGX', 'UYI',
                      'VND', 'VUV', 'XAF', 'XOF', 'XPF') then 0
    when currency in ('BHD', 'IQD', 'JOD', 'KWD', 'LYD', 'OMR', 'TND') then 3
    else 2
  end
$$;

-- What an event's body tells of money that came: one row, or none.
create function told_success(body text) returns table (currency text, amount_minor bigint)
language sql immutable as $$
  select b.currency, round(b.amount_collected * (10 ^ currency_decimals(b.currency))::numeric)::bigint
  from json_to_record(case when body like '%"success":true%' then body::json else '{}'::json end)
    as b (success boolean, amount_collected numeric, currency text)
  where b.success
$$;

create function utc_day(at timestamptz) returns date language sql immutable as $$
  select (at at time zone 'UTC')::date
$$;

-- Whether a settled charge is counted: all but a success beside another one of its debt, of which an
-- incident tells.
create function is_counted(t psp_transactions) returns boolean language sql stable as $$
  select t.state = 'declined' or (t.state = 'succeeded' and not (t.contradicts and exists (
    select from psp_transactions o
    where o.merchant_id = t.merchant_id and o.invoice_id = t.invoice_id and o.state = 'succeeded'
      and not o.contradicts)))
$$;

-- Writes an entry for a settled charge, or takes one back.
create function note_charge(t psp_transactions, sign integer) returns void language sql as $$
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select t.merchant_id, utc_day(t.settled_at), t.psp, t.connection_version, t.currency,
         case t.state when 'succeeded' then 'charged' else 'declined' end, sign, sign * t.amount_minor
  where is_counted(t)
$$;
create function note_changed_charge() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then perform note_charge(old, -1); end if;
  if tg_op <> 'DELETE' then perform note_charge(new, 1); end if;
  return null;
end $$;
create trigger note_inserted_charge after insert on psp_transactions
  for each row when (new.state in ('succeeded', 'declined')) execute function note_changed_charge();
create trigger note_settled_charge after update on psp_transactions
  for each row when ((old.state in ('succeeded', 'declined') or new.state in ('succeeded', 'declined'))
    and (old.state, old.amount_minor, old.currency, old.settled_at, old.psp, old.connection_version,
         old.contradicts)
      is distinct from
        (new.state, new.amount_minor, new.currency, new.settled_at, new.psp, new.connection_version,
         new.contradicts))
  execute function note_changed_charge();
create trigger note_deleted_charge after delete on psp_transactions
  for each row when (old.state in ('succeeded', 'declined')) execute function note_changed_charge();

-- What came of a recovered payment: its attempt that succeeded says how much and when. Without one it is
-- the whole payment, on the day of its last change.
create function recovered_facts(p payments)
returns table (day date, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(coalesce(a.ended_at, p.updated_at)), coalesce(t.connection_version, 0),
         coalesce(a.currency, p.currency), coalesce(a.amount_minor, p.amount_minor)
  from (select) one
  left join lateral (
    select a.attempt_id, a.ended_at, a.currency, a.amount_minor from attempts a
    where a.merchant_id = p.merchant_id and a.invoice_id = p.invoice_id and a.state = 'succeeded'
    order by a.contradicts limit 1
  ) a on true
  left join lateral (
    select t.connection_version from psp_transactions t
    where t.merchant_id = p.merchant_id and t.attempt_id = a.attempt_id and t.state = 'succeeded'
    order by t.contradicts limit 1
  ) t on true
$$;
create function note_recovered(p payments, sign integer) returns void language sql as $$
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select p.merchant_id, f.day, p.psp, f.connection_version, f.currency, 'recovered', sign,
         sign * f.amount_minor
  from recovered_facts(p) f
$$;
create function note_changed_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'recovered' then perform note_recovered(old, -1); end if;
  if tg_op <> 'DELETE' and new.state = 'recovered' then perform note_recovered(new, 1); end if;
  return null;
end $$;
create trigger note_inserted_payment after insert on payments
  for each row when (new.state = 'recovered') execute function note_changed_payment();
create trigger note_recovered_payment after update on payments
  for each row when ((old.state = 'recovered') <> (new.state = 'recovered'))
  execute function note_changed_payment();
create trigger note_deleted_payment after delete on payments
  for each row when (old.state = 'recovered') execute function note_changed_payment();

-- Events are counted for each statement that writes them, changed ones one by one. Of several that
-- tell of a success of one invoice the first is counted.
create function announced_facts(e events)
returns table (day date, psp text, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(e.created_at), coalesce(t.psp, p.psp), coalesce(t.connection_version, 0), s.currency,
         s.amount_minor
  from told_success(e.body) s
  join payments p on p.merchant_id = e.merchant_id and p.invoice_id = e.invoice_id
  left join lateral (
    select t.psp, t.connection_version from psp_transactions t
    where t.merchant_id = e.merchant_id and t.attempt_id = e.attempt_id and t.state = 'succeeded'
    order by t.contradicts limit 1
  ) t on true
  where e.type = 'retry_result' and not exists (
    select from events o cross join lateral told_success(o.body) first
    where o.merchant_id = e.merchant_id and o.invoice_id = e.invoice_id and o.type = 'retry_result'
      and o.sequence < e.sequence)
$$;
create function note_new_events() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select e.merchant_id, utc_day(e.created_at), '', 0, '', 'created', count(*), 0 from fresh e group by 1, 2
  union all
  select e.merchant_id, f.day, f.psp, f.connection_version, f.currency, 'announced', count(*),
         sum(f.amount_minor)
  from fresh e cross join lateral announced_facts(e) f
  group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger note_new_events after insert on events
  referencing new table as fresh for each statement execute function note_new_events();

create function note_event(e events, sign integer) returns void language sql as $$
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select e.merchant_id, utc_day(e.created_at), '', 0, '', 'created', sign, 0
  union all
  select e.merchant_id, f.day, f.psp, f.connection_version, f.currency, 'announced', sign,
         sign * f.amount_minor
  from announced_facts(e) f
$$;
create function note_changed_event() returns trigger language plpgsql as $$
begin
  perform note_event(old, -1);
  if tg_op = 'UPDATE' then perform note_event(new, 1); end if;
  return null;
end $$;
create trigger note_changed_event after update on events
  for each row when ((old.body, old.created_at, old.type) is distinct from
    (new.body, new.created_at, new.type))
  execute function note_changed_event();
create trigger note_deleted_event after delete on events
  for each row execute function note_changed_event();

create function note_new_deliveries() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select d.merchant_id, utc_day(d.created_at), '', 0, '', d.state, count(*), 0
  from fresh d group by 1, 2, d.state;
  return null;
end $$;
create trigger note_new_deliveries after insert on deliveries
  referencing new table as fresh for each statement execute function note_new_deliveries();

create function note_changed_delivery() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  values (old.merchant_id, utc_day(old.created_at), '', 0, '', old.state, -1, 0);
  if tg_op = 'UPDATE' then
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (new.merchant_id, utc_day(new.created_at), '', 0, '', new.state, 1, 0);
  end if;
  return null;
end $$;
create trigger note_changed_delivery after update on deliveries
  for each row when ((old.state, old.created_at) is distinct from (new.state, new.created_at))
  execute function note_changed_delivery();
create trigger note_deleted_delivery after delete on deliveries
  for each row execute function note_changed_delivery();

-- What is there already.
insert into control_totals (merchant_id, day, psp, connection_version, currency, kind, stated_on, items,
  amount_minor)
select merchant_id, utc_day(settled_at), psp, connection_version, currency,
       case state when 'succeeded' then 'charged' else 'declined' end, date '-infinity', count(*),
       sum(amount_minor)
from psp_transactions t where is_counted(t)
group by 1, 2, 3, 4, 5, 6
union all
select p.merchant_id, f.day, p.psp, f.connection_version, f.currency, 'recovered', date '-infinity', count(*),
       sum(f.amount_minor)
from payments p cross join lateral recovered_facts(p) f
where p.state = 'recovered' group by 1, 2, 3, 4, 5
union all
select e.merchant_id, f.day, f.psp, f.connection_version, f.currency, 'announced', date '-infinity', count(*),
       sum(f.amount_minor)
from events e cross join lateral announced_facts(e) f group by 1, 2, 3, 4, 5
union all
select merchant_id, utc_day(created_at), '', 0, '', 'created', date '-infinity', count(*), 0
from events group by 1, 2
union all
select merchant_id, utc_day(created_at), '', 0, '', state, date '-infinity', count(*), 0
from deliveries group by 1, 2, state;

-- A check of everything, page by page: one row for each run, the pages' place and what was found so far.
create table invariant_checks (
  check_id     text primary key check (length(check_id) <= 64),
  state        text not null check (state in ('running', 'done')),
  phase        text not null check (phase in ('invoices', 'cards', 'sequences', 'totals')),
  place        text[] not null,
  rows_read    bigint not null default 0,
  breaches     jsonb not null default '{}',
  -- Days before it are over: their totals are held against what is counted anew.
  closed_before  date not null,
  started_at   timestamptz not null,
  updated_at   timestamptz not null,
  ended_at     timestamptz,
  constraint invariant_checks_ended check ((state = 'done') = (ended_at is not null))
);
create unique index invariant_checks_one_running on invariant_checks ((true)) where state = 'running';
create index invariant_checks_started on invariant_checks (started_at desc);

-- What a running check has counted of the totals.
create table control_recounts (
  merchant_id         text not null,
  day                 date not null,
  psp                 text not null,
  connection_version  integer not null,
  currency            text not null,
  kind                text not null,
  items               bigint not null,
  amount_minor        bigint not null,
  primary key (merchant_id, day, psp, connection_version, currency, kind)
);
