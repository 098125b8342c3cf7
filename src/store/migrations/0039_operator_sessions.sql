-- A session of the dashboard is a row, so that signing out ends it here and not in the browser alone.
-- What the browser holds is a random value, of which only a hash under a key from the operator token
-- is kept: nobody signs in with a copy of this table, and a new token ends every session.

create table operator_sessions (
  value_hash  bytea primary key check (octet_length(value_hash) = 32),
  created_at  timestamptz not null,
  expires_at  timestamptz not null,
  check (expires_at > created_at)
);

create index operator_sessions_expires on operator_sessions (expires_at);
