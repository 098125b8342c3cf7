-- What an operator has done to many payments at once: which were asked for, how far it is, and what became
-- of them. The work goes on in the background by the place that is kept here, after a restart too.

create table bulk_actions (
  merchant_id   text not null references merchants,
  bulk_id       text not null check (length(bulk_id) <= 64),
  action        text not null check (action in ('stop', 'retry', 'set_aside')),
  -- Kept with each payment that is stopped or set aside.
  reason        text not null check (length(reason) <= 500),
  state         text not null check (state in ('running', 'done')),
  -- Which payments: open ones whose recovery began in [from_at, until_at), in this state, waiting for this.
  status        text check (status in ('scheduled', 'attempting')),
  waiting_for   text check (waiting_for in ('attempt', 'customer')),
  from_at       timestamptz,
  until_at      timestamptz not null,
  -- How many those were when it was asked for, and how many it was done to since.
  matched       integer not null check (matched >= 0),
  done          integer not null default 0 check (done >= 0),
  -- Why it was not done to others, and to how many: an object of numbers.
  refused       jsonb not null default '{}',
  -- The last payment that was taken, and whether what became of it is still to be noted: a process that dies
  -- in between leaves it so, and whoever goes on does it again.
  cursor_at     timestamptz,
  cursor_id     text,
  is_under_way  boolean not null default false,
  -- Who asked, and from where: each payment's line of the audit log says it.
  actor         text,
  address       text,
  requested_at  timestamptz not null,
  ended_at      timestamptz,
  primary key (merchant_id, bulk_id),
  constraint bulk_actions_ended check ((state = 'done') = (ended_at is not null))
);
create index bulk_actions_newest on bulk_actions (merchant_id, requested_at desc, bulk_id desc);
create index bulk_actions_running on bulk_actions (merchant_id, requested_at) where state = 'running';
