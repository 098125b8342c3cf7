-- The operator asks which cards come near a network's limit over 30 days, of every merchant at once.
-- Charges are written in the order of their time, so a summary of each stretch of blocks finds the last
-- month among years, and costs the hot path of a charge next to nothing.
create index card_attempts_at on card_attempts using brin (at) with (autosummarize = on);
