-- outside a transaction
-- As card_attempts has them: the charges of a card by their time, those with an advice, and the last month of all.
create index concurrently if not exists psp_transactions_card
  on psp_transactions (merchant_id, card_key, sent_at) where card_key is not null;
create index concurrently if not exists psp_transactions_advised
  on psp_transactions (merchant_id, sent_at) where advice_code is not null;
create index concurrently if not exists psp_transactions_sent
  on psp_transactions using brin (sent_at) with (autosummarize = on);
