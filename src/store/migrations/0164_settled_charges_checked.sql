-- Apart from 0163, since this reads what is there.
alter table rollup_progress validate constraint rollup_progress_name_check;
