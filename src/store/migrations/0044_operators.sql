-- Operators have names, roles and, where wanted, merchants of their own, instead of all sharing the one
-- token. That one stays, for the first start and for when nobody else gets in.
--
-- Who was removed stays as a row without an address: the audit log names operators by their ids.
-- Tokens are kept as keyed hashes, as the credentials of merchants are.

create table operators (
  operator_id  text primary key check (length(operator_id) between 1 and 64),
  name         text not null check (length(name) between 1 and 200),
  email        text check (length(email) between 3 and 320 and email = lower(email)),
  role         text not null check (role in ('viewer', 'disputes', 'operator', 'administrator')),
  -- Null: every merchant.
  merchants    text[] check (cardinality(merchants) between 1 and 100),
  created_at   timestamptz not null,
  removed_at   timestamptz,
  check (removed_at is null or email is null)
);
create unique index operators_email on operators (email) where email is not null;

create table operator_tokens (
  token_id      text primary key check (length(token_id) between 1 and 64),
  operator_id   text not null references operators,
  hash          bytea not null unique check (length(hash) = 32),
  hint          text not null check (length(hint) between 1 and 64),
  created_at    timestamptz not null,
  expires_at    timestamptz not null check (expires_at > created_at),
  revoked_at    timestamptz,
  last_used_at  timestamptz
);
create index operator_tokens_operator on operator_tokens (operator_id);

-- Null: a session of the one token.
alter table operator_sessions add column operator_id text references operators;
create index operator_sessions_operator on operator_sessions (operator_id);
