-- Whoever is removed is let in no more, also where a default role lets in whom nobody has added: they were added anew
-- by their next sign-in, with the default role. So who they are at the provider is kept (their subject, by
-- operator_identities), and of their address a keyed hash, for those who never signed in there.
--
-- Empty for operators who are there, for those without an address, and for those who were removed before.
alter table operators add column email_hash text;
alter table operators add constraint operators_hash_of_removed
  check (email_hash is null or (removed_at is not null and length(email_hash) = 64)) not valid;
