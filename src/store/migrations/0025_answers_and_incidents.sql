-- One key for one try, answers that come late, and what contradicts the record.

-- A charge that was found never made is made again under the same key, in a row of its own. Of the
-- rows that may stand for a charge at the PSP there is one for each key.
drop index psp_transactions_key;
create unique index psp_transactions_key on psp_transactions (merchant_id, idempotency_key)
  where state <> 'not_made';
create index psp_transactions_not_made on psp_transactions (merchant_id, idempotency_key, sent_at)
  where state = 'not_made';

-- contradicts: the PSP told of this charge what cannot stand beside the record: a success next to
-- another one of the same debt, or the opposite of what was recorded. It stays, whatever becomes of
-- the incident. A second success takes no part in the promise of one.
alter table attempts add column contradicts boolean not null default false;
drop index attempts_one_success;
create unique index attempts_one_success on attempts (merchant_id, invoice_id)
  where state = 'succeeded' and not contradicts;

alter table psp_transactions add column contradicts boolean not null default false;
drop index psp_transactions_one_success;
create unique index psp_transactions_one_success on psp_transactions (merchant_id, invoice_id)
  where state = 'succeeded' and not contradicts;
create index psp_transactions_contradicts on psp_transactions (merchant_id, invoice_id)
  where contradicts;

-- frozen_at: an incident of the invoice is open. Nothing is charged, and nothing is due.
-- charge_may_exist: set on what was open in a restored backup. The PSP is asked for each try's key
-- before it is charged, since the charge may have been made after the backup.
alter table payments
  add column frozen_at         timestamptz,
  add column charge_may_exist  boolean not null default false,
  add constraint payments_frozen_is_not_due check (frozen_at is null or next_attempt_at is null);

-- What does not fit together, here and at the PSP, until a person has decided. subject names the
-- finding: the same one found again is the same incident. ours and theirs are both records, side by
-- side; charge is our key of it, or the PSP's id of one that is not ours.
create table incidents (
  merchant_id         text not null references merchants,
  incident_id         text not null check (length(incident_id) <= 64),
  kind                text not null
    check (kind in ('contradiction', 'two_successes', 'amount_differs', 'mode_differs',
                    'missing_at_psp', 'missing_here', 'state_differs')),
  subject             text not null check (length(subject) between 1 and 600),
  invoice_id          text check (length(invoice_id) between 1 and 255),
  psp                 text not null check (length(psp) between 1 and 32),
  connection_version  integer check (connection_version > 0),
  charge              text not null check (length(charge) between 1 and 255),
  ours                jsonb,
  theirs              jsonb,
  detail              text not null check (length(detail) <= 500),
  state               text not null default 'open'
    check (state in ('open', 'refunding', 'refunded', 'dismissed')),
  refund_id           text check (length(refund_id) between 1 and 255),
  resolution          text check (length(resolution) <= 500),
  opened_at           timestamptz not null,
  resolved_at         timestamptz,
  primary key (merchant_id, incident_id),
  constraint incidents_resolved
    check ((state in ('refunded', 'dismissed')) = (resolved_at is not null)),
  constraint incidents_refunded_has_id check (state <> 'refunded' or refund_id is not null)
);
create unique index incidents_subject on incidents (merchant_id, kind, subject);
create index incidents_opened on incidents (merchant_id, opened_at, incident_id);
create index incidents_unresolved on incidents (merchant_id, invoice_id)
  where state in ('open', 'refunding');

-- The event of it, for merchants that ask for it.
alter table merchants add column incident_events boolean not null default false;
alter table events
  drop constraint events_type_check,
  add constraint events_type_check check (type in ('retry_result', 'end_of_dunning', 'incident'));
