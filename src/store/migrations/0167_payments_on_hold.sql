-- outside a transaction
-- The payments that wait for a person: frozen by an incident, or set aside. Listed by merchant, the newest first, as
-- payments_state is for a state, in which they stand among all that are scheduled.
create index concurrently if not exists payments_on_hold on payments (merchant_id, created_at, invoice_id)
  where state = 'scheduled' and (frozen_at is not null or set_aside_at is not null);
