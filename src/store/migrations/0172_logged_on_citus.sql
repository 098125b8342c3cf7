-- Counters of requests are not logged, since nobody misses them after a crash. Citus moves a cell to another node by
-- what is logged, and refuses to move one with a table that is not: so there they are.
do $$
begin
  if exists (select from pg_extension where extname = 'citus') then
    alter table request_counts set logged;
  end if;
end $$;
