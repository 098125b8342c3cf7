-- outside a transaction
-- The charges of a card, and each turn once.
create unique index concurrently if not exists psp_transactions_card_turn
  on psp_transactions (merchant_id, card_key, card_turn) where card_key is not null;
drop index concurrently if exists psp_transactions_card;
