-- What a training and a what-if say of their end is a message, as everywhere else. The refusals within
-- kept results of what-ifs are read by their new name too; no other column keeps the old one.
alter table trainings rename column words to message;
alter table what_ifs rename column words to message;

update what_ifs set result = result - 'nextTry' || jsonb_build_object(
    'nextTry', (result -> 'nextTry') - 'words' || jsonb_build_object('message', result #> '{nextTry,words}'))
where result #> '{nextTry,words}' is not null;
update what_ifs set result = result - 'payment' || jsonb_build_object(
    'payment', (result -> 'payment') - 'words' || jsonb_build_object('message', result #> '{payment,words}'))
where result #> '{payment,words}' is not null;
