-- What became of the deliveries of a replay is counted from their rows, which go into the archive with their payments:
-- a replay of long ago would say that a later one had taken all of its deliveries over. So what is packed of it is
-- counted here, once: a packed row names no replay any more, and comes back without one.
alter table replays add column archived_delivered integer not null default 0;
alter table replays add column archived_exhausted integer not null default 0;
