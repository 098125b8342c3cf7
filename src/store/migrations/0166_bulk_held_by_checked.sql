-- Apart from 0165, since this reads what is there.
alter table bulk_actions validate constraint bulk_actions_held_by;
