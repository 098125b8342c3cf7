-- The networks' rules hold for a card, not for an invoice: every charge of a card stands here, ours
-- and those that merchants report, and none of ours is begun without a place in it.

-- What tells that two methods are one card. A PSP's adapter fills the fingerprint and the form of the credential; until then the method's own id names the card, and it
-- counts as a card number.
alter table payment_methods
  add column fingerprint       text check (length(fingerprint) between 1 and 255),
  add column credential_form   text check (credential_form in ('pan', 'token')),
  add column acquirer_country  text check (length(acquirer_country) = 2);
create index payment_methods_fingerprint on payment_methods (merchant_id, fingerprint)
  where fingerprint is not null;

-- One row for each card of a merchant. version rises with each charge that is begun and each answer
-- that may forbid more of them: a charge that was judged on an older one is judged again.
create table cards (
  merchant_id  text not null references merchants,
  card_key     text not null check (length(card_key) between 3 and 320),
  version      bigint not null check (version > 0),
  primary key (merchant_id, card_key)
);

-- charge_ref: our idempotency key, or a reported charge's invoice and PSP transaction. An outcome of
-- 'sent' is a place that is held: it counts as a decline until the PSP says otherwise. lasting marks
-- a decline that may forbid the card beyond every window.
create table card_attempts (
  merchant_id        text not null references merchants,
  charge_ref         text not null check (length(charge_ref) between 1 and 520),
  card_key           text not null,
  acceptor           text not null check (length(acceptor) between 1 and 255),
  origin             text not null check (origin in ('own', 'reported')),
  network            text not null check (network in
    ('visa', 'mastercard', 'amex', 'discover', 'elo', 'sepa_debit', 'ach', 'unknown')),
  initiator          text not null check (initiator in ('cit', 'mit')),
  credential         text not null check (credential in ('pan', 'token')),
  payment_method_id  text not null check (length(payment_method_id) between 1 and 255),
  invoice_id         text not null check (length(invoice_id) between 1 and 255),
  amount_minor       bigint not null check (amount_minor between 0 and 999999999999),
  currency           text not null check (currency ~ '^[A-Z]{3}$'),
  acquirer_country   text check (length(acquirer_country) = 2),
  outcome            text not null check (outcome in ('sent', 'approved', 'declined')),
  network_code       text check (length(network_code) <= 64),
  advice_code        text check (length(advice_code) <= 64),
  lasting            boolean not null default false,
  at                 timestamptz not null,
  primary key (merchant_id, charge_ref),
  constraint card_attempts_reported_are_over check (origin = 'own' or outcome <> 'sent'),
  constraint card_attempts_lasting_are_declines check (not lasting or outcome = 'declined')
);
create index card_attempts_card on card_attempts (merchant_id, card_key, at);
create index card_attempts_advised on card_attempts (merchant_id, at)
  where advice_code is not null;

-- Fees of attempts, in micros of the major unit: some are tenths of a cent. expected: of a charge
-- that was made; avoided: of one that the rule refused.
create table network_fees (
  merchant_id    text not null references merchants,
  charge_ref     text not null check (length(charge_ref) between 1 and 520),
  rule           text not null check (length(rule) between 1 and 64),
  kind           text not null check (kind in ('expected', 'avoided')),
  network        text not null check (length(network) between 1 and 32),
  amount_micros  bigint not null check (amount_micros > 0),
  currency       text not null check (currency ~ '^[A-Z]{3}$'),
  at             timestamptz not null,
  primary key (merchant_id, charge_ref, rule)
);
create index network_fees_at on network_fees (merchant_id, at);

-- Charges of an attempt that a network's rule refused: which rule, its source, and until when.
alter table attempts add column blocked_charges jsonb;

-- The history so far. A decline is taken for a lasting one where it has a code: whether it forbids
-- anything is judged anew at each charge.
insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
  credential, payment_method_id, invoice_id, amount_minor, currency, outcome, network_code,
  advice_code, lasting, at)
select t.merchant_id, t.idempotency_key, t.psp || ':' || t.payment_method_id, t.psp, 'own',
  case when m.scheme in ('visa', 'mastercard', 'amex', 'discover', 'elo') then m.scheme
       else 'unknown' end,
  'mit', 'pan', t.payment_method_id, t.invoice_id, t.amount_minor, t.currency,
  case t.state when 'succeeded' then 'approved' when 'declined' then 'declined' else 'sent' end,
  t.decline ->> 'networkCode', t.decline ->> 'adviceCode',
  t.state = 'declined' and t.decline ->> 'networkCode' is not null, t.sent_at
from psp_transactions t
left join payment_methods m using (merchant_id, payment_method_id)
where t.state <> 'not_made';

insert into card_attempts (merchant_id, charge_ref, card_key, acceptor, origin, network, initiator,
  credential, payment_method_id, invoice_id, amount_minor, currency, acquirer_country, outcome,
  network_code, lasting, at)
select t.merchant_id, t.invoice_id || '/' || t.psp_transaction_id,
  t.psp || ':' || t.payment_method_id, t.psp, 'reported',
  case when t.detail ->> 'scheme' in ('visa', 'mastercard', 'amex', 'discover', 'elo')
       then t.detail ->> 'scheme' else 'unknown' end,
  'mit', 'pan', t.payment_method_id, t.invoice_id, t.amount_minor, t.currency,
  t.detail ->> 'acquirer_country', case when t.success then 'approved' else 'declined' end,
  left(t.detail #>> '{outcome,processor_response_code}', 64),
  not t.success and t.detail #>> '{outcome,processor_response_code}' is not null, t.occurred_at
from transactions t
where not exists (
  select from psp_transactions own
  where own.merchant_id = t.merchant_id and own.psp_transaction_id = t.psp_transaction_id);
