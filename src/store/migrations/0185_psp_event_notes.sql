-- Notes of PSPs' events, in a table for each month, which is dropped when it is old instead of being emptied row by row:
-- what is deleted is written once more into the log, and leaves room behind that the vacuum has to find. What is kept
-- for good, of disputes and contradictions, goes into psp_events as before, and so does all that the release before
-- this one notes; the notes that are there are deleted when they are old. Who looks whether an event is noted asks
-- both. An event that this release has noted, sent again to the release before, is worked through again: without harm.
--
-- An event is known by its PSP's id and the time that the PSP gives it, so each is noted once within its month.
-- Nobody refers to a note, and none refers to its merchant: who drops a table would have to hold merchants as well.

create table psp_event_notes (
  merchant_id         text not null,
  psp                 text not null check (length(psp) between 1 and 32),
  event_id            text not null check (length(event_id) between 1 and 255),
  -- When it occurred, by its first day, UTC; -infinity where it came more than a week after the end of that month, or
  -- says that it occurs in a month's time or later.
  month               date not null check (month = '-infinity' or extract(day from month) = 1),
  type                text not null check (length(type) between 1 and 255),
  kind                text not null
    check (kind in ('billing_attempt', 'payment_method_updates', 'charge_settled', 'refund_settled',
                    'invoice_closed', 'not_used')),
  outcome             text not null
    check (outcome in ('accepted', 'unusable', 'charge_settled', 'refund_settled', 'already_settled',
                       'charge_unknown', 'recovery_stopped', 'nothing_to_stop', 'nothing_to_do')),
  invoice_id          text check (length(invoice_id) between 1 and 255),
  psp_transaction_id  text check (length(psp_transaction_id) between 1 and 255),
  occurred_at         timestamptz not null,
  received_at         timestamptz not null,
  primary key (merchant_id, psp, event_id, month),
  -- So the age of a month's table is the age of its last row, without a look at it.
  constraint psp_event_notes_come_in_time
    check (month = '-infinity' or (received_at at time zone 'UTC') < month + interval '1 month 7 days')
) partition by list (month);
create index psp_event_notes_received on psp_event_notes (merchant_id, received_at, psp, event_id);
create index psp_event_notes_invoice on psp_event_notes (merchant_id, invoice_id)
  where invoice_id is not null;

-- What has no month's table: what came late or with a strange time, rows of another cell, and on a node of Citus,
-- whose tables are made elsewhere, all of them. Deleted row by row.
create table psp_event_notes_rest partition of psp_event_notes default;
create index psp_event_notes_trim on psp_event_notes_rest using brin (received_at);

-- As 0065: a table without statistics has its notes looked up by their keys all the same, not among all of a merchant's.
create function look_up_by_whole_keys(of_table name) returns void language plpgsql as $$
declare
  has_rows boolean;
begin
  execute format('alter table %I alter column merchant_id set (n_distinct = 1)', of_table);
  execute format('select exists (select from %I)', of_table) into has_rows;
  if has_rows then
    execute format('analyze %I (merchant_id)', of_table);
  elsif to_regproc('pg_restore_attribute_stats') is not null then
    perform pg_restore_attribute_stats(
      'schemaname', current_schema()::text, 'relname', of_table::text, 'attname', 'merchant_id',
      'inherited', false, 'null_frac', 0::real, 'avg_width', 24, 'n_distinct', 1::real);
  end if;
end $$;

-- Makes a month's table, and moves there what had come before; not where it would have to wait for others, or move
-- much while others wait for it. By its owner: who trims may make no tables.
create function make_psp_event_month(wanted date) returns void
language plpgsql security definer set lock_timeout = '50ms' as $$
declare
  name constant text := 'psp_event_notes_' || to_char(wanted, 'YYYY_MM');
  most constant integer := 10000;
begin
  if to_regclass(name) is not null or exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  if (select count(*) from (select from psp_event_notes_rest where month = wanted limit most + 1) r) > most then
    return;
  end if;
  execute format('create table %I (like psp_event_notes including all)', name);
  -- Nothing more comes there until the month's table stands beside it.
  lock table psp_event_notes_rest in access exclusive mode;
  execute format(
    'with moved as (delete from psp_event_notes_rest where month = %L returning *)
     insert into %I select * from moved', wanted, name);
  perform look_up_by_whole_keys(name);
  execute format('alter table psp_event_notes attach partition %I for values in (%L)', name, wanted);
exception when lock_not_available then
  -- The next run tries again; until then the rest takes what comes.
  return;
end $$;

-- Drops the oldest month's table of which every row came before a time; how many it was. Everybody waits for who
-- waits to drop one, so it waits for no longer than they would notice. By its owner, for those alone who may delete
-- what PSPs told: whoever serves merchants may not.
create function drop_psp_event_month(received_before timestamptz) returns integer
language plpgsql security definer set lock_timeout = '50ms' as $$
declare
  caller constant name := coalesce(nullif(current_setting('role'), 'none'), session_user);
  oldest name;
begin
  if not has_table_privilege(caller, 'psp_events', 'delete') then
    raise insufficient_privilege using message = 'notes of PSPs'' events are not dropped by ' || caller;
  end if;
  select c.relname into oldest
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = to_regclass('psp_event_notes') and c.relname ~ '^psp_event_notes_\d{4}_\d\d$'
    and (to_date(right(c.relname, 7), 'YYYY_MM') + interval '1 month 7 days') at time zone 'UTC' <= received_before
  order by 1 limit 1;
  if oldest is null then
    return 0;
  end if;
  execute format('drop table %I', oldest);
  return 1;
exception when lock_not_available then
  return 0;
end $$;

do $$
begin
  if not exists (select from pg_extension where extname = 'citus') then
    perform look_up_by_whole_keys('psp_events');
    perform look_up_by_whole_keys('psp_event_notes_rest');
  end if;
  execute format('alter function make_psp_event_month(date) set search_path = %I, pg_temp', current_schema());
  execute format('alter function drop_psp_event_month(timestamptz) set search_path = %I, pg_temp', current_schema());
end $$;

-- The first ones; the daily job would find much in the rest at the end of a busy day.
do $$
declare
  month constant date := date_trunc('month', now() at time zone 'UTC');
begin
  perform make_psp_event_month(month);
  perform make_psp_event_month((month + interval '1 month')::date);
end $$;
