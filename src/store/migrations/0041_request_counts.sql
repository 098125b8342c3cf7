-- Several processes count a sender's requests of a minute together: each adds what it has served to one
-- row now and then, and reads the sum. Unlogged, since a crash may forget a minute's counts, and
-- nobody waits for its write. Rows are gone two minutes after their window began.

create unlogged table request_counts (
  scope             text not null check (length(scope) <= 64),
  sender            text not null check (length(sender) <= 255),
  window_starts_at  timestamptz not null,
  requests          bigint not null check (requests > 0),
  primary key (scope, sender, window_starts_at)
);
