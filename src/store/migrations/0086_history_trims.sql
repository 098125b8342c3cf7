-- How far the trim of cards' histories has come: it goes by time, so that each run looks at what has become
-- old since the last one, however much is kept from before.
create table history_trims (
  name        text primary key check (name in ('card_attempts')),
  through_at  timestamptz not null
);
insert into history_trims (name, through_at) values ('card_attempts', '-infinity');
