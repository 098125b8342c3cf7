-- outside a transaction
-- For the alert that messages do not go out: what is on its way, and what ended lately, of all merchants.
create index concurrently if not exists customer_messages_sending on customer_messages (merchant_id)
  where state = 'sending';
create index concurrently if not exists customer_messages_ended on customer_messages (ended_at);
