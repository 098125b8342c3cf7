-- A month's table of the archive is attached beside the default partition, which nobody may be reading then. Whoever
-- waits for that has every read of the archive wait behind it, and each page of a payment looks there: for half a
-- minute at a time, as long as a backup goes on, or the last step of a merchant's move to another cell. So it waits no
-- longer than anybody would notice, as the months of PSPs' events do; until a later run makes the month's table, its
-- rows are in the default partition.
create or replace function make_archive_month(wanted date) returns void
language plpgsql security definer set lock_timeout = '50ms' as $$
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
exception when lock_not_available then
  return;
end $$;
do $$
begin
  execute format('alter function make_archive_month(date) set search_path = %I, pg_temp', current_schema());
end $$;
