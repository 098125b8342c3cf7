-- What the operators of a desk of disputes note for each other: who works on a dispute, and what was found out about it. Both
-- are theirs alone: merchants' calls have no right to these tables. Operators are named by their ids, of this cell or the one
-- that the merchant came from; who was removed, or is of another cell, counts as nobody.
create table dispute_assignments (
  merchant_id  text not null,
  dispute_id   text not null,
  operator_id  text not null check (length(operator_id) between 1 and 64),
  assigned_at  timestamptz not null,
  primary key (merchant_id, dispute_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);
create index dispute_assignments_operator on dispute_assignments (operator_id);

-- A note may tell of a person, so its text is sealed under the merchant's data key, and stands in no line of the audit log.
-- It is never changed: it is removed, with its text.
create table dispute_notes (
  merchant_id  text not null,
  dispute_id   text not null,
  note_id      text not null check (length(note_id) between 1 and 64),
  -- Null: whoever holds the one token.
  author_id    text check (length(author_id) between 1 and 64),
  sealed       bytea not null check (length(sealed) between 20 and 16384),
  key_version  integer not null,
  written_at   timestamptz not null,
  primary key (merchant_id, dispute_id, note_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);
