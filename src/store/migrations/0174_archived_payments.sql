-- Payments that ended long ago, in a compact archive. A finished payment keeps 6 KiB and more, half of which nothing
-- reads but its own page: its webhooks, their sends, and what was decided and why. That is one compressed text there,
-- unpacked when the payment is looked at, and put back before it is changed. Its own row, its attempts and its charges
-- stay where they are, so that lists, searches, counts, debts, disputes and unique keys are as before.

alter table payments add column archived_at timestamptz;
-- Whatever would make it an open one again has to bring back its rows first.
alter table payments add constraint payments_archived_is_final
  check (archived_at is null or state in ('recovered', 'stopped', 'exhausted')) not valid;

-- By month of the payment's creation, so that a month can be moved to a slower disk, or dumped, by itself.
create table archived_payments (
  merchant_id  text not null,
  invoice_id   text not null,
  -- Its first day, UTC.
  month        date not null check (extract(day from month) = 1),
  -- A number for the id of each packed webhook, by which one is asked for. Two ids may have one number: the rows say.
  ids          bigint[] not null,
  -- How the text was compressed: one byte that says by which dictionary, and what it became.
  packed       bytea not null,
  primary key (merchant_id, invoice_id, month)
) partition by list (month);
create index archived_payments_ids on archived_payments using gin (ids);

-- What comes before its month has a table: of another cell, or on a node of Citus, whose tables are made elsewhere.
create table archived_payments_rest partition of archived_payments default;

-- Makes a month's table, and moves there what had come before. By its owner: who archives may make no tables.
create function make_archive_month(wanted date) returns void language plpgsql security definer as $$
declare
  name constant text := 'archived_payments_' || to_char(wanted, 'YYYY_MM');
begin
  if to_regclass(name) is not null or exists (select from pg_extension where extname = 'citus') then
    return;
  end if;
  execute format('create table %I (like archived_payments including all)', name);
  execute format(
    'with moved as (delete from archived_payments_rest where month = %L returning *)
     insert into %I select * from moved', wanted, name);
  execute format('alter table archived_payments attach partition %I for values in (%L)', name, wanted);
end $$;
do $$
begin
  execute format('alter function make_archive_month(date) set search_path = %I, pg_temp', current_schema());
end $$;

-- How far a merchant's rows were archived: days whose control totals no recount finds whole any more, and numbers
-- of events that its log begins after.
create table archive_progress (
  merchant_id       text primary key references merchants,
  through_day       date not null,
  through_sequence  bigint not null check (through_sequence >= 0)
);

-- Each by itself: on Citus a constraint is not added with something else.
alter table history_trims drop constraint history_trims_name_check;
alter table history_trims add constraint history_trims_name_check
  check (name in ('card_attempts', 'payments')) not valid;
insert into history_trims (name, through_at) values ('payments', '-infinity');

-- Webhooks that are packed or put back are none that were made or lost: the totals stay.
create or replace trigger note_new_events after insert on events
  referencing new table as fresh for each statement
  when (current_setting('recoup.archiving', true) is distinct from 'on')
  execute function note_new_events();
create or replace trigger note_deleted_event after delete on events for each row
  when (current_setting('recoup.archiving', true) is distinct from 'on')
  execute function note_changed_event();
create or replace trigger note_new_deliveries after insert on deliveries
  referencing new table as fresh for each statement
  when (current_setting('recoup.archiving', true) is distinct from 'on')
  execute function note_new_deliveries();
create or replace trigger note_deleted_delivery after delete on deliveries for each row
  when (current_setting('recoup.archiving', true) is distinct from 'on')
  execute function note_changed_delivery();
