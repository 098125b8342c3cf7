-- Payments for which no attempt is planned any more: only a new or updated payment method brings one
-- before the window ends. Listed by merchant, the newest first, as payments_state is for a state.
create index payments_waiting_for_customer on payments (merchant_id, created_at, invoice_id)
  where state = 'scheduled' and due_action = 'expire';
