-- Read here, beside other work: the migration before adds the rule for new rows alone, which blocks nobody.
alter table operators validate constraint operators_hash_of_removed;
