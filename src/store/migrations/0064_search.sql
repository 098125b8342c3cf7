-- An operator looks for payments by what was charged and by the card that a dispute names.
create index transactions_failed_amount on transactions (merchant_id, amount_minor, occurred_at)
  where not success;
create index disputes_card_last4 on disputes (merchant_id, card_last4) where card_last4 is not null;
