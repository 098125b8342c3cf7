-- The constraint of 0290, held against the rows that are there: read without a lock on writers.
alter table incidents validate constraint incidents_dismissal_begun;
