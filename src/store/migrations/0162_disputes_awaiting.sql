-- outside a transaction
-- The disputes that await an answer, the soonest deadline first. disputes_due has none of those whose deadline nobody told,
-- as Worldpay's are, so that the list of what needs a response left them out: these
-- come last here, after every date that a cursor may hold.
create index concurrently if not exists disputes_awaiting
  on disputes ((coalesce(respond_by, '9999-12-31T23:59:59.999Z')), merchant_id, dispute_id)
  where status = 'needs_response';
