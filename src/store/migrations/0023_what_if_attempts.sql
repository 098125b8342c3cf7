-- A what-if's limit is called what it is called everywhere else: the most attempts of a recovery.

alter table what_ifs rename column max_tries to max_attempts;
