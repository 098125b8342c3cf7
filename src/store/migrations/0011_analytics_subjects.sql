-- The people whom checkouts capture. What tells of a person (e-mail, IP address, user agent) is
-- sealed under a key of his own, which is wrapped by the merchant's data key: destroying that one
-- row's key makes all of it unreadable, wherever copies of captures went. (A backup of this table
-- holds the key until the backup itself is gone.) Indexes of such values are keyed hashes under a
-- key of the merchant's, since the few values of an IPv4 address would give any unkeyed hash away.

-- The keys of those hashes. Version 1 also gives the ids of captures and persons, for ever.
create table analytics_index_keys (
  merchant_id  text not null references merchants,
  version      integer not null check (version > 0),
  key_version  integer not null,
  sealed_key   bytea not null check (length(sealed_key) between 33 and 512),
  created_at   timestamptz not null,
  primary key (merchant_id, version),
  foreign key (merchant_id, key_version) references data_keys (merchant_id, version)
);

-- A person, as the merchant knows him: a customer id, or else an e-mail address, as a keyed hash.
-- An erased one keeps its hash only for the proof to be given again; one that comes back is another.
create table analytics_subjects (
  merchant_id   text not null references merchants,
  subject_id    text not null check (length(subject_id) between 1 and 64),
  kind          text not null check (kind in ('customer', 'email')),
  subject_hash  bytea check (length(subject_hash) = 32),
  key_version   integer,
  sealed_key    bytea check (length(sealed_key) between 33 and 512),
  created_at    timestamptz not null,
  erased_at     timestamptz,
  erased_records  integer check (erased_records >= 0),
  erasure_proof   bytea check (length(erasure_proof) = 32),
  primary key (merchant_id, subject_id),
  foreign key (merchant_id, key_version) references data_keys (merchant_id, version),
  constraint analytics_subjects_erased_has_no_key
    check ((erased_at is null) = (sealed_key is not null)
           and (sealed_key is null) = (key_version is null)),
  constraint analytics_subjects_erased_is_proved
    check ((erased_at is null) = (erased_records is null)
           and (erased_at is null) = (erasure_proof is null)),
  constraint analytics_subjects_live_has_hash check (erased_at is not null or subject_hash is not null)
);
create unique index analytics_subjects_live on analytics_subjects (merchant_id, subject_hash)
  where erased_at is null;
create index analytics_subjects_erased on analytics_subjects (merchant_id, subject_hash, erased_at)
  where erased_at is not null;
