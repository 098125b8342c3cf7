-- A merchant's accounts at a PSP, one version for each. A rotation of keys of the same account keeps
-- the version; another account gets the next, and the one before is retired. Its credentials stay
-- sealed while a charge that was sent through it is open or unknown, and are destroyed then.
alter table psp_connections
  add column version integer not null default 1 check (version > 0),
  -- The account's own id at the PSP; null where neither the PSP nor the credentials named it.
  add column account text check (length(account) between 1 and 255),
  add column mode text not null default 'unknown'
    check (mode in ('live', 'test', 'sandbox', 'unknown')),
  add column state text not null default 'active' check (state in ('active', 'retired')),
  add column retired_at timestamptz,
  add column destroyed_at timestamptz,
  add constraint psp_connections_retired check ((state = 'retired') = (retired_at is not null)),
  add constraint psp_connections_destroyed check (destroyed_at is null or state = 'retired'),
  drop constraint psp_connections_pkey,
  add primary key (merchant_id, psp, version);
alter table psp_connections alter column version drop default;

create unique index psp_connections_one_active on psp_connections (merchant_id, psp)
  where state = 'active';
create index psp_connections_kept on psp_connections (retired_at)
  where state = 'retired' and destroyed_at is null;

update psp_connections set mode = 'sandbox', account = 'sandbox' where psp = 'sandbox';

-- The account that a charge was sent through. Those of before this were sent through the first.
alter table psp_transactions add column connection_version integer not null default 1;
