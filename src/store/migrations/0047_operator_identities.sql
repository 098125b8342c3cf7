-- Operators may sign in at an OpenID Connect provider. Who somebody is there is the subject of its issuer,
-- which never changes and is never given to another (OpenID Connect Core 1.0, 2 and 5.7); an e-mail address
-- may be. So the address only finds an operator the first time, and the subject from then on.

create table operator_identities (
  issuer       text not null check (length(issuer) between 1 and 2048),
  subject      text not null check (length(subject) between 1 and 255),
  operator_id  text not null references operators,
  linked_at    timestamptz not null,
  primary key (issuer, subject),
  -- An address that the provider gives to somebody else does not give them the operator too.
  unique (operator_id, issuer)
);
