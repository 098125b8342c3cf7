-- Sending again what was sent before, as a thing of its own: which deliveries were asked for, how many
-- that were when it was asked, and what became of them. Without it, what a replay did was reckoned from
-- all that is not delivered, which counts deliveries that were no part of it.
--
-- A delivery names the last replay that took it. Another index on deliveries holds only those.

create table replays (
  merchant_id   text not null references merchants,
  replay_id     text not null check (length(replay_id) <= 64),
  state         text not null check (state in ('running', 'done')),
  -- Which are taken: events created in [from_at, until_at), in this state, of this type.
  status        text not null check (status in ('any', 'pending', 'delivered', 'exhausted')),
  type          text check (type in ('retry_result', 'end_of_dunning', 'incident')),
  from_at       timestamptz not null,
  until_at      timestamptz not null,
  -- How many those were when it was asked for, and how many were queued again so far.
  matched       integer not null check (matched >= 0),
  queued        integer not null default 0 check (queued >= 0),
  -- Where the next batch begins.
  cursor_at     timestamptz,
  requested_at  timestamptz not null,
  ended_at      timestamptz,
  primary key (merchant_id, replay_id),
  constraint replays_ended check ((state = 'done') = (ended_at is not null))
);
create index replays_running on replays (merchant_id, requested_at) where state = 'running';
create index replays_newest on replays (merchant_id, requested_at desc, replay_id desc);

alter table deliveries add column replay_id text check (length(replay_id) <= 64);
create index deliveries_replayed on deliveries (merchant_id, replay_id) where replay_id is not null;
