-- outside a transaction
-- What a merchant's server answered to the last send of a webhook stands on the delivery, and goes after as many days as
-- the log of sends: found by these. They hold only what was not acknowledged, so hardly any delivery has an entry.
create index concurrently if not exists deliveries_answered
  on deliveries (last_sent_at) where last_answer is not null;
create index concurrently if not exists endpoint_deliveries_answered
  on endpoint_deliveries (last_sent_at) where last_answer is not null;
