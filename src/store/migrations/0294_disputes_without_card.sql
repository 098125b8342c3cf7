-- outside a transaction
-- As disputes_to_match (0016), and besides those that block a card which nothing has named yet: where the dispute's own
-- charge was matched at once by the id of an analytics record, a payment that is reported later tells the card alone.
-- It serves whoever asks for the former condition too, as a release from before does.
create index concurrently if not exists disputes_to_look_at
  on disputes (matched_at nulls first, merchant_id, dispute_id)
  where match_state <> 'matched'
    or match_score < 100 and matched_by = 'rule' and status in ('needs_response', 'under_review')
    or blocks_retries and payment_method_id is null and card_fingerprint is null;
drop index concurrently if exists disputes_to_match;
