-- Files that persons add to a dispute's evidence. They tell of persons, so each part is sealed under the merchant's
-- data key, and so is the name. A file arrives part by part, none of which is larger than a page of other work, and
-- counts once all of it is here (kept_at); what never came whole goes with the daily clean-up.
create table dispute_attachments (
  merchant_id    text not null,
  dispute_id     text not null,
  attachment_id  text not null check (length(attachment_id) between 1 and 64),
  kind           text not null check (kind in ('receipt', 'contract', 'customer_communication',
                                               'service_documentation', 'shipping_documentation',
                                               'refund_policy', 'cancellation_policy', 'other')),
  -- By its bytes, never by what its sender said.
  media_type     text not null check (media_type in ('application/pdf', 'image/png', 'image/jpeg')),
  sealed_name    bytea not null check (length(sealed_name) between 34 and 700),
  key_version    integer not null,
  bytes          integer check (bytes between 1 and 5000000),
  sha256         bytea check (length(sha256) = 32),
  added_by       text not null check (length(added_by) between 1 and 100),
  created_at     timestamptz not null,
  kept_at        timestamptz,
  -- Taken away before it was sent: the row stays while its PSP may still hold the file, the parts are gone.
  removed_at     timestamptz,
  -- What the PSP calls the file, once it was uploaded there.
  psp_reference  text check (length(psp_reference) between 1 and 255),
  primary key (merchant_id, dispute_id, attachment_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id),
  constraint dispute_attachments_kept_whole check ((kept_at is null) = (sha256 is null)
                                                   and (kept_at is null) = (bytes is null)),
  constraint dispute_attachments_removed_was_kept check (removed_at is null or kept_at is not null)
);
-- The same bytes are the same attachment of a dispute.
create unique index dispute_attachments_once on dispute_attachments (merchant_id, dispute_id, sha256)
  where kept_at is not null and removed_at is null;
create index dispute_attachments_arriving on dispute_attachments (created_at) where kept_at is null;

create table dispute_attachment_parts (
  merchant_id    text not null,
  dispute_id     text not null,
  attachment_id  text not null,
  number         integer not null check (number between 0 and 99),
  -- 64 KiB, with the header, the nonce and the tag of the seal.
  sealed         bytea not null check (length(sealed) between 34 and 65600),
  primary key (merchant_id, dispute_id, attachment_id, number),
  foreign key (merchant_id, dispute_id, attachment_id)
    references dispute_attachments (merchant_id, dispute_id, attachment_id) on delete cascade
);
