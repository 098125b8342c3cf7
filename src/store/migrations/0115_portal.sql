-- The portal: what a merchant's own people read of their merchant, without being operators. A link is known by the
-- keyed hash of its text alone, belongs to one merchant and ends by itself; it is revoked by being deleted, and takes
-- its sessions with it. Sessions stand apart from those of operators: a release that knows no portal takes each row of
-- operator_sessions without an operator for one of the operator token, and must never find one of these there.
create table portal_links (
  link_id       text primary key check (length(link_id) between 1 and 64),
  merchant_id   text not null check (length(merchant_id) between 1 and 64),
  hash          bytea not null unique check (length(hash) = 32),
  -- Null: no other site may show the portal in a frame.
  embed_origin  text check (length(embed_origin) between 9 and 300 and embed_origin like 'https://%'),
  created_at    timestamptz not null,
  expires_at    timestamptz not null check (expires_at > created_at)
);
create index portal_links_merchant on portal_links (merchant_id, expires_at);

-- By a link, or by an API key of the merchant's own.
create table portal_sessions (
  value_hash     bytea primary key check (length(value_hash) = 32),
  merchant_id    text not null check (length(merchant_id) between 1 and 64),
  link_id        text references portal_links on delete cascade,
  credential_id  text check (length(credential_id) between 1 and 64),
  created_at     timestamptz not null,
  expires_at     timestamptz not null check (expires_at > created_at),
  check (num_nonnulls(link_id, credential_id) = 1)
);
create index portal_sessions_link on portal_sessions (link_id);
create index portal_sessions_expires on portal_sessions (expires_at);
