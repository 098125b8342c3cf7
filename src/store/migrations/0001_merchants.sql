-- Merchants, the keys they call us with, and the secrets that we call others with.
--
-- Every key begins with merchant_id: no query of the service crosses merchants, so the same schema
-- can be spread over machines by that column. merchants and credentials are small and are read by
-- every process; they are the two that would be copied to each machine instead.
--
-- Times are always given by the service's clock, never by now(): a sandbox moves that clock.

create table merchants (
  merchant_id       text primary key check (length(merchant_id) between 1 and 64),
  name              text not null check (length(name) between 1 and 200),
  retry_status_url  text not null check (length(retry_status_url) between 1 and 2048),
  webhook_url       text not null check (length(webhook_url) between 1 and 2048),
  policy_kind       text not null check (policy_kind in ('fixed', 'even')),
  window_days       integer not null check (window_days between 1 and 60),
  max_attempts      integer not null check (max_attempts between 1 and 20),
  fixed_days        integer[] not null check (cardinality(fixed_days) between 1 and 20),
  end_of_dunning    boolean not null default false,
  created_at        timestamptz not null,
  updated_at        timestamptz not null
);

-- Keys and passwords that others show to us: only a keyed hash is kept, with enough of the text to
-- recognise it by. Several of one kind may be active at once, so that one can be rotated away.
create table credentials (
  merchant_id    text not null references merchants,
  credential_id  text not null check (length(credential_id) <= 64),
  kind           text not null check (kind in ('recovery_api_key', 'disputes_password')),
  hash           bytea not null check (length(hash) = 32),
  prefix         text not null check (length(prefix) <= 32),
  last_four      text not null check (length(last_four) = 4),
  created_at     timestamptz not null,
  expires_at     timestamptz,
  revoked_at     timestamptz,
  last_used_at   timestamptz,
  primary key (merchant_id, credential_id)
);
create unique index credentials_hash on credentials (hash);

-- One data key per merchant and version, wrapped by the service's encryption key. A new version
-- serves new writes; older ones stay for what they encrypted.
create table data_keys (
  merchant_id  text not null references merchants,
  version      integer not null check (version > 0),
  wrapped_key  bytea not null check (length(wrapped_key) between 32 and 512),
  created_at   timestamptz not null,
  primary key (merchant_id, version)
);

-- Secrets that we show to others or sign with, AES-256-GCM under the merchant's data key.
-- name distinguishes those of one kind: the PSP of a connection, the number of a signing secret.
create table secrets (
  merchant_id  text not null references merchants,
  kind         text not null check (kind in ('signing_secret', 'merchant_auth', 'psp_credentials')),
  name         text not null check (length(name) between 1 and 64),
  key_version  integer not null,
  sealed       bytea not null check (length(sealed) between 28 and 65536),
  created_at   timestamptz not null,
  expires_at   timestamptz,
  primary key (merchant_id, kind, name),
  foreign key (merchant_id, key_version) references data_keys (merchant_id, version)
);

create table psp_connections (
  merchant_id  text not null references merchants,
  psp          text not null check (length(psp) between 1 and 32),
  created_at   timestamptz not null,
  primary key (merchant_id, psp)
);

-- What operators did. detail never holds a secret.
create table audit_log (
  merchant_id  text not null,
  audit_id     bigint generated always as identity,
  actor        text not null check (length(actor) <= 100),
  action       text not null check (length(action) <= 100),
  detail       jsonb not null,
  at           timestamptz not null,
  primary key (merchant_id, audit_id)
);
