-- What a dispute's event leaves out is read at the PSP, and a PSP that does not answer must not lose the
-- dispute: it is kept as it was told, and the look-up is due until it was had. What came later (a
-- capture, a payment, an answer) may belong to a dispute that has a weaker match already, so how strong
-- the match is stands here, and who made it: what a person confirmed no rule takes back.
alter table disputes
  add column card_last4        text check (card_last4 ~ '^[0-9]{4}$'),
  -- The keyed hash of the payer's e-mail address, as captures have it: the address is kept nowhere.
  add column email_index       bytea check (length(email_index) = 32),
  -- none: nobody can be asked. failed: asked in vain for days; the next event of the dispute asks anew.
  add column look_up_state     text not null default 'none'
    check (look_up_state in ('none', 'pending', 'done', 'failed')),
  add column look_ups          integer not null default 0 check (look_ups >= 0),
  add column next_look_up_at   timestamptz,
  -- What the PSP of one disputed transaction of several calls each; a PayPal dispute may have many.
  drop constraint disputes_payment_ids_check,
  add constraint disputes_payment_ids_check check (cardinality(payment_ids) <= 1000),
  add column match_score       integer check (match_score between 1 and 100),
  add column matched_by        text check (matched_by in ('rule', 'person')),
  add constraint disputes_look_up_is_due
    check ((look_up_state = 'pending') = (next_look_up_at is not null));

update disputes d set match_score = m.score, matched_by = 'rule'
from dispute_matches m
where m.merchant_id = d.merchant_id and m.dispute_id = d.dispute_id and m.rank = 1
  and d.match_state = 'matched';

alter table disputes
  add constraint disputes_match_has_a_score
    check ((match_state = 'matched') = (match_score is not null)
           and (match_score is null) = (matched_by is null));

create index disputes_look_up_due on disputes (next_look_up_at) where next_look_up_at is not null;
create index disputes_email on disputes (merchant_id, email_index) where email_index is not null;
-- Those that a later capture or payment may belong to: without a match, or open with a weaker one.
drop index disputes_unmatched;
create index disputes_to_match on disputes (matched_at nulls first, merchant_id, dispute_id)
  where match_state <> 'matched'
    or match_score < 100 and matched_by = 'rule' and status in ('needs_response', 'under_review');
-- The disputed charge of a payment, for what is recovered net of disputes.
create index disputes_payments on disputes using gin (payment_ids);

-- A capture's disputes: those that hold it, and those that it is shown with.
create index dispute_matches_capture on dispute_matches (merchant_id, analytics_id);

-- Open disputes hold their captures from now on: those that are matched already, too.
update analytics a set legal_hold = true
where a.state <> 'erased' and not a.legal_hold and exists (
  select from dispute_matches m
  join disputes d on d.merchant_id = m.merchant_id and d.dispute_id = m.dispute_id
  where m.merchant_id = a.merchant_id and m.analytics_id = a.analytics_id
    and d.match_state in ('matched', 'conflict') and d.status in ('needs_response', 'under_review'));

-- The settled charges of a month, the denominator of the networks' ratios.
-- Rows come in the order of their times, nearly: what costs the writes of reports hardly anything.
create index transactions_clock on transactions using brin (occurred_at);
