-- What a merchant adds to the evidence of a dispute, and the answer that was sent to its PSP. A dispute
-- has one answer in each of its stages: its row commits before the PSP is called, so that a call whose
-- answer was lost is known of, and is never made a second time blindly.

-- What no record of Recoup says: what was sold, when it was provided, the references of charges. No
-- fields for what tells of a person: that is the captures', which are sealed.
create table dispute_details (
  merchant_id  text not null,
  dispute_id   text not null,
  details      jsonb not null check (jsonb_typeof(details) = 'object'),
  updated_at   timestamptz not null,
  primary key (merchant_id, dispute_id),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id)
);

create table dispute_submissions (
  merchant_id   text not null,
  dispute_id    text not null,
  stage         text not null check (stage in ('inquiry', 'pre_dispute', 'chargeback',
                                               'pre_arbitration', 'arbitration', 'compliance')),
  psp           text not null check (length(psp) between 1 and 32),
  -- staging and submitting: the call is on its way, or whoever made it ended. A staged answer lies at
  -- the PSP and was not sent on. unknown: the sending's answer was lost; the PSP's record settles it.
  state         text not null
    check (state in ('staging', 'staged', 'submitting', 'submitted', 'failed', 'unknown')),
  -- Of the packet that was staged last.
  content_hash  text not null check (content_hash ~ '^[0-9a-f]{64}$'),
  -- What the PSP calls the answer, where sending it on needs that, such as Adyen's defence reason.
  reference     text check (length(reference) between 1 and 255),
  reason        text check (length(reason) <= 500),
  -- Rises with every step: a step that was begun on an older one writes nothing.
  fence         integer not null check (fence > 0),
  created_at    timestamptz not null,
  -- When the present state began.
  updated_at    timestamptz not null,
  submitted_at  timestamptz,
  primary key (merchant_id, dispute_id, stage),
  foreign key (merchant_id, dispute_id) references disputes (merchant_id, dispute_id),
  constraint dispute_submissions_submitted_when
    check ((state = 'submitted') = (submitted_at is not null)),
  constraint dispute_submissions_say_why check (state not in ('failed', 'unknown') or reason is not null)
);

-- The operator names a dispute by its id alone.
create index disputes_by_id on disputes (dispute_id);
-- Whether a charge was ever disputed or reported as fraud, by any of its names.
create index disputes_of_charge on disputes using gin (payment_ids);

-- A bank names a charge by its amount and its day, and the card by its first digits alone.
create index transactions_paid_amount on transactions (merchant_id, amount_minor, occurred_at)
  where success;
create index psp_transactions_paid_amount on psp_transactions (merchant_id, amount_minor, sent_at)
  where state = 'succeeded';
