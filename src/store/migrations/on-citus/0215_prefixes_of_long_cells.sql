-- The file of this name, one change of the table at a time: Citus takes a constraint by itself alone.
alter table credentials drop constraint credentials_prefix_check;
alter table credentials add constraint credentials_prefix_check check (length(prefix) <= 64) not valid;
