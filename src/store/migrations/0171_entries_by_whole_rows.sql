-- Control entries have no key, and need none: they are appended, and taken away by their places. A copy that follows a
-- table, as Citus makes one while it moves a cell to another node, has to be told which row went: by the whole of it. It
-- costs nothing where `wal_level` is not `logical`, and there the text of a row of eighty bytes when it is folded.
alter table control_entries replica identity full;
