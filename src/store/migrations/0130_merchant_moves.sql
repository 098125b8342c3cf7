-- A merchant's way from one cell to another. The cell that it leaves keeps a row of the move, which is also the
-- signpost: calls under old keys, user names and addresses still arrive there, and are passed on. The cell that it
-- arrives in keeps a row of the arrival, and that row alone decides: while it is `copying`, the old cell has the
-- merchant; once it is `active`, which is written in the transaction that writes all of the merchant's rows, the new
-- cell has it; `abandoned` makes sure that it never will. No other combination exists at any moment, so a move may
-- be cut off anywhere and gone on with.
create table merchant_moves (
  merchant_id    text primary key check (length(merchant_id) between 1 and 64),
  move_id        text not null check (length(move_id) between 1 and 64),
  -- draining: nothing is claimed; closing: calls are answered with 503; fenced: nothing is written; moved: calls
  -- are passed on; cleared: nothing is left here but this row.
  state          text not null check (state in ('draining', 'closing', 'fenced', 'moved', 'cleared')),
  to_cell        text not null check (length(to_cell) <= 30),
  recovery_url   text not null check (length(recovery_url) between 8 and 300),
  disputes_url   text not null check (length(disputes_url) between 8 and 300),
  begun_at       timestamptz not null,
  closed_at      timestamptz,
  moved_at       timestamptz check ((moved_at is not null) = (state in ('moved', 'cleared'))),
  cleared_at     timestamptz check ((cleared_at is not null) = (state = 'cleared'))
);

-- Whose a key or password was that is shown here still, once the merchant's own rows are gone.
create table moved_credentials (
  hash         bytea primary key check (length(hash) = 32),
  merchant_id  text not null references merchant_moves on delete cascade
);
create index moved_credentials_merchant on moved_credentials (merchant_id);

create table merchant_arrivals (
  merchant_id  text primary key check (length(merchant_id) between 1 and 64),
  move_id      text not null check (length(move_id) between 1 and 64),
  state        text not null check (state in ('copying', 'active', 'abandoned')),
  from_cell    text not null check (length(from_cell) <= 30),
  begun_at     timestamptz not null,
  ended_at     timestamptz check ((ended_at is not null) = (state <> 'copying'))
);

-- Rows on their way: as texts, in no table of the service, so that nothing sees them before they are all there.
-- Each chunk is what lies between two keys of the source's table, with a digest by which a later pass knows
-- whether that has changed.
create table moving_rows (
  merchant_id  text not null references merchant_arrivals on delete cascade,
  table_name   text not null check (length(table_name) <= 63),
  chunk        integer not null check (chunk >= 0),
  -- The last key of the chunk, in the order of the source's primary key; null: to the end.
  last_key     text[],
  count        integer not null check (count >= 0),
  digest       text not null check (length(digest) = 32),
  rows         text[] not null check (cardinality(rows) = count),
  primary key (merchant_id, table_name, chunk)
);

-- Refuses what is written about a merchant that has left, by whoever has not heard of it. It is put on the tables,
-- for such merchants alone, while one is on its way (store/moving/fence.ts).
create function refuse_moved_merchant() returns trigger language plpgsql as $$
begin
  raise exception 'the merchant is in another cell, or on its way' using errcode = 'RC002';
end $$;

-- In another cell the hashes of a merchant's keys are still keyed by the pepper of the cell that issued them.
alter table service_keys drop constraint service_keys_use_check;
alter table service_keys add constraint service_keys_use_check check (
  use in ('hash credentials, v1', 'seal alert channels, v1') or use like 'hash credentials, v1 of %') not valid;
