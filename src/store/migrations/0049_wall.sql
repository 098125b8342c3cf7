-- A second wall: roles for what the service does, with rights of their own, and row-level security by
-- merchant for those that serve merchants. The roles belong to the whole server and may be made later, by
-- somebody else: so the rights are given at a start, when the roles are there, and here stands which were.

create table wall (
  singleton  boolean primary key default true check (singleton),
  -- SHA-256 of the statements that gave the rights, of the roles that have them, and of the tables'
  -- migrations: a table that is added later needs rights too.
  digest     bytea not null check (length(digest) = 32),
  raised_at  timestamptz not null
);

-- Whoever may write a line moves the head of its chain by it, and in no other way.
alter function chain_audit_line() security definer;
do $$
begin
  execute format('alter function chain_audit_line() set search_path = %I, pg_temp', current_schema());
end $$;
