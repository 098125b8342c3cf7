-- outside a transaction
-- As attempts has them: those of an invoice, each number once, and those since a time.
create unique index concurrently if not exists psp_transactions_attempt_number
  on psp_transactions (merchant_id, invoice_id, attempt_number) where attempt_number is not null;
create index concurrently if not exists psp_transactions_attempt_started
  on psp_transactions using brin (attempt_started_at) with (autosummarize = on);
