-- The log of accepted requests. A row is committed before its request is answered, so an
-- acknowledged request cannot be lost; the row is also the job that applies it.

create sequence request_sequence as bigint;

create table requests (
  merchant_id      text not null references merchants,
  sequence         bigint not null default nextval('request_sequence'),
  uuid             uuid not null,
  kind             text not null check (kind in ('payment', 'payment_method_update')),
  -- The validated body. Null once it has been applied and its parts stand in their own tables.
  body             jsonb,
  state            text not null default 'accepted' check (state in ('accepted', 'applied', 'rejected')),
  outcome          jsonb,
  received_at      timestamptz not null,
  applied_at       timestamptz,
  next_attempt_at  timestamptz,
  lease_until      timestamptz,
  fence            integer not null default 0,
  primary key (merchant_id, sequence),
  constraint requests_due_while_accepted
    check ((state = 'accepted') = (next_attempt_at is not null))
);
-- A receipt's UUID is unique, so that a request repeated under its Idempotency-Key finds the first.
create unique index requests_uuid on requests (merchant_id, uuid);
create index requests_due on requests (merchant_id, next_attempt_at, sequence)
  where next_attempt_at is not null;

-- For the daily trim of old rows alone: rows are written in the order of their times.
create index requests_applied on requests using brin (applied_at);

create table idempotency_keys (
  merchant_id   text not null references merchants,
  route         text not null check (length(route) <= 200),
  key           text not null check (length(key) between 1 and 255),
  fingerprint   bytea not null check (length(fingerprint) = 32),
  status        integer check (status between 200 and 499),
  body          text,
  created_at    timestamptz not null,
  -- An owner that has not completed by then is taken for dead, and the key may run again.
  locked_until  timestamptz not null,
  expires_at    timestamptz not null,
  primary key (merchant_id, route, key),
  constraint idempotency_keys_complete check ((status is null) = (body is null))
);
create index idempotency_keys_expiry on idempotency_keys (expires_at);
