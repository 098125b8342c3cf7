-- Cards that end before their subscription is billed again, told to merchants that ask for it.

-- The card that each subscription was billed to last, as the merchant reported it, and when it is billed
-- again. card_ends_at is the first moment after the card's last month; null: it is not known, or not known
-- any more, since the customer has changed a method meanwhile. renews_at is null where nobody said how
-- often it is billed, or where it ends before.
create table subscription_cards (
  merchant_id        text not null references merchants,
  subscription_id    text not null check (length(subscription_id) between 1 and 255),
  customer_id        text not null check (length(customer_id) between 1 and 255),
  psp_customer_id    text check (length(psp_customer_id) between 1 and 255),
  payment_method_id  text not null check (length(payment_method_id) between 1 and 255),
  card_ends_at       timestamptz,
  billed_at          timestamptz not null,
  renews_at          timestamptz,
  primary key (merchant_id, subscription_id)
);
-- Those that a daily job looks through: few, since most cards outlast their next renewal.
create index subscription_cards_ending on subscription_cards (merchant_id, renews_at, subscription_id)
  where card_ends_at <= renews_at;
-- For an update of a customer's methods.
create index subscription_cards_customer on subscription_cards (merchant_id, customer_id);
create index subscription_cards_psp_customer on subscription_cards (merchant_id, psp_customer_id)
  where psp_customer_id is not null;

-- Once for each card and its last month, whichever of its subscriptions is billed first.
create table card_notices (
  merchant_id        text not null references merchants,
  payment_method_id  text not null check (length(payment_method_id) between 1 and 255),
  card_ends_at       timestamptz not null,
  subscription_id    text not null check (length(subscription_id) between 1 and 255),
  customer_id        text not null check (length(customer_id) between 1 and 255),
  psp_customer_id    text check (length(psp_customer_id) between 1 and 255),
  renews_at          timestamptz not null,
  told_at            timestamptz not null,
  resolved_at        timestamptz,
  resolved_by        text check (resolved_by in ('payment_method', 'recovered', 'window_ended')),
  primary key (merchant_id, payment_method_id, card_ends_at),
  constraint card_notices_resolved_by_something check ((resolved_at is null) = (resolved_by is null))
);
create index card_notices_open_subscription on card_notices (merchant_id, subscription_id)
  where resolved_at is null;
create index card_notices_open_customer on card_notices (merchant_id, customer_id)
  where resolved_at is null;
create index card_notices_open_psp_customer on card_notices (merchant_id, psp_customer_id)
  where resolved_at is null and psp_customer_id is not null;
create index card_notices_open_renewal on card_notices (merchant_id, renews_at)
  where resolved_at is null;

-- These events are of no invoice.
alter table events alter column invoice_id drop not null;
alter table events add constraint events_of_an_invoice check (
  invoice_id is not null or type in ('customer_action_required', 'customer_action_resolved')) not valid;
