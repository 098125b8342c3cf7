-- What the uplift report and the experiments are made of, kept by the job that keeps the other roll-ups:
-- over a million payments the direct statements took half a minute. A row of uplift_payments is what was
-- counted of one payment, so that counting it again adds the difference alone; reports read it for the
-- days at the two ends of a time, and sums for the whole weeks between.
--
-- won_minor and won_after_ms: of the charge that recovered it. net_minor: less what disputes hold of it.
-- fees_micros: expected fees of its charges in its own currency. *_tries: those that reached a PSP and
-- ended, by the arm of their own decision; won_by: the arm of the one that succeeded. method: as it was
-- known when the payment last changed. payer_group: a hash of the payer's id, which cannot be undone.
create table uplift_payments (
  failed_at       timestamptz not null,
  amount_minor    bigint not null,
  won_minor       bigint,
  net_minor       bigint not null,
  won_after_ms    bigint,
  fees_micros     bigint not null,
  tries           integer not null,
  payer_group     smallint not null check (payer_group between 0 and 63),
  learned_tries   smallint not null,
  explore_tries   smallint not null,
  holdout_tries   smallint not null,
  fallback_tries  smallint not null,
  is_open         boolean not null,
  is_paid         boolean not null,
  is_recovered    boolean not null,
  has_other_fees  boolean not null,
  currency        text not null,
  arm             text not null check (arm in ('learned', 'holdout', 'fallback', 'none')),
  won_by          text check (won_by in ('learned', 'explore', 'holdout', 'fallback')),
  decline_class   text not null,
  method          text not null,
  merchant_id     text not null,
  invoice_id      text not null,
  primary key (merchant_id, invoice_id)
) with (fillfactor = 90);
create index uplift_payments_failed on uplift_payments (merchant_id, failed_at);

-- By the week of the failure: its Monday, UTC. Never more rows than payments.
create table uplift_sums (
  merchant_id      text not null,
  week             date not null,
  currency         text not null,
  arm              text not null,
  payer_group      smallint not null,
  decline_class    text not null,
  method           text not null,
  payments         integer not null,
  failed_minor     bigint not null,
  recovered        integer not null,
  recovered_minor  bigint not null,
  net_minor        bigint not null,
  paid_otherwise   integer not null,
  tries            integer not null,
  won_after_ms     bigint not null,
  fees_micros      bigint not null,
  open             integer not null,
  other_fees       integer not null,
  primary key (merchant_id, week, currency, arm, payer_group, decline_class, method)
) with (fillfactor = 80);

-- Payments by the arm that they belong to, and tries by the arm of their own decision.
create table experiment_sums (
  merchant_id  text not null,
  week         date not null,
  payer_group  smallint not null,
  arm          text not null,
  payments     integer not null,
  recovered    integer not null,
  tries        integer not null,
  succeeded    integer not null,
  primary key (merchant_id, week, payer_group, arm)
) with (fillfactor = 80);

-- A dispute changes what its payment's charge is worth, and nothing of the payment itself.
create index disputes_updated on disputes (updated_at, merchant_id, dispute_id);

alter table rollup_progress
  drop constraint rollup_progress_name_check,
  add constraint rollup_progress_name_check
    check (name in ('payments', 'charges', 'card_limits', 'uplift', 'uplift_disputes'));
insert into rollup_progress (name, through_at) values ('uplift', '-infinity'), ('uplift_disputes', '-infinity');
