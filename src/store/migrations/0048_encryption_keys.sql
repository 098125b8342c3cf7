-- The key that wraps the data keys can be replaced under load: each wrapped key names the one that
-- wrapped it (its first bytes do already; here as a column, so that what is left is found by an index),
-- and a rotation wraps them anew, page by page, under one row of progress.
--
-- Hashes of credentials are keyed by a secret that was derived from ENCRYPTION_KEY. It becomes a key of
-- its own, wrapped like the others: credentials are known by their hashes alone and could not be hashed
-- again, so they have to outlive the key that it was derived from.

alter table data_keys add column key_id text not null
  generated always as (encode(substring(wrapped_key from 3 for get_byte(wrapped_key, 1)), 'escape')) stored;
create index data_keys_key_id on data_keys (key_id);

create table service_keys (
  use          text primary key check (use = 'hash credentials, v1'),
  wrapped_key  bytea not null check (length(wrapped_key) between 32 and 512),
  key_id       text not null
    generated always as (encode(substring(wrapped_key from 3 for get_byte(wrapped_key, 1)), 'escape')) stored,
  created_at   timestamptz not null
);

create table key_rotations (
  rotation_id    text primary key check (length(rotation_id) <= 64),
  state          text not null check (state in ('running', 'done')),
  -- The wrapping key that everything is to be wrapped by.
  key_id         text not null check (length(key_id) between 1 and 64),
  -- Whether each merchant also gets a new data key, which seals what is written from then on.
  new_data_keys  boolean not null,
  made           integer not null default 0,
  rewrapped      integer not null default 0,
  started_at     timestamptz not null,
  updated_at     timestamptz not null,
  ended_at       timestamptz,
  constraint key_rotations_ended check ((state = 'done') = (ended_at is not null))
);
create unique index key_rotations_one_running on key_rotations ((true)) where state = 'running';
create index key_rotations_started on key_rotations (started_at desc);
