-- Keys of merchants may do less than everything: a checkout only reports, a report only reads. Each key
-- has the scopes that it was issued with, and a name that says which system holds it.
--
-- The keys that there are keep doing what they did.

alter table credentials
  add column scopes text[] not null default '{intake,read,act}'
    check (scopes <@ '{intake,read,act}' and cardinality(scopes) between 1 and 3),
  add column name text check (length(name) between 1 and 100);
