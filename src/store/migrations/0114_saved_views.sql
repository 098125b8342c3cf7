-- Views of the dashboard that operators keep by a name: an address with its filters. A view belongs to whoever
-- saved it, the holder of OPERATOR_TOKEN being one of them, and is seen by others where it is shared. The merchant that
-- its address names is kept apart, since operators of some merchants see shared views of theirs alone. An address
-- holds no e-mail address of a payer: those are kept hashed everywhere.
create table saved_views (
  view_id      text primary key check (length(view_id) <= 64),
  owner_id     text not null check (length(owner_id) <= 100),
  name         text not null check (length(name) between 1 and 60),
  path         text not null check (length(path) between 1 and 1000 and path like '/%' and path not like '%@%'),
  merchant_id  text check (length(merchant_id) <= 64),
  is_shared    boolean not null,
  created_at   timestamptz not null,
  unique (owner_id, name)
);
