-- A key's public beginning names its cell, and a cell's name has up to 30 characters: with those of the longest kind of
-- key it has more than the 32 that were allowed, so that a cell of more than 21 characters could issue no keys, nor
-- have a merchant. The rows that are there hold by the narrower rule already.
alter table credentials
  drop constraint credentials_prefix_check,
  add constraint credentials_prefix_check check (length(prefix) <= 64) not valid;
