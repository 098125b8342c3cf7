-- A dispute of a customer who was erased keeps no hash of an e-mail address any more, whoever tells it later: a look-up at
-- the PSP that was due yet when they were erased, or was on its way, and each later event gave it back.
alter table disputes add column email_forgotten boolean not null default false;
