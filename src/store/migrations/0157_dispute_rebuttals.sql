-- The letter to the issuer that a person writes for a dispute. It tells of persons, so it is sealed under the
-- merchant's data key, as customers' addresses are, and stands apart from dispute_details, whose fields name nobody.
create table dispute_rebuttals (
  merchant_id  text not null,
  dispute_id   text not null,
  -- 20,000 characters of four bytes at most, with the header, the nonce and the tag of the seal.
  sealed       bytea not null check (length(sealed) between 34 and 80100),
  key_version  integer not null,
  updated_at   timestamptz not null,
  primary key (merchant_id, dispute_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);
