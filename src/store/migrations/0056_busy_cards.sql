-- Cards that had enough charges for any network's limit at the last count over 30 days of all charges. The
-- list of cards near a limit looks at these and at those charged since, not at every charge of a month.
-- Few: those that were charged some ten times.
create table busy_cards (
  merchant_id  text not null,
  card_key     text not null,
  primary key (merchant_id, card_key)
);
