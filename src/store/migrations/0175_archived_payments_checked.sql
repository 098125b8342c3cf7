-- What 0174 did not read every row for.
alter table payments validate constraint payments_archived_is_final;
alter table history_trims validate constraint history_trims_name_check;
