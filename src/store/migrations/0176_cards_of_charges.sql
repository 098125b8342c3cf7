-- A charge of ours is its place in its card's history. Until now that was a row of card_attempts beside the charge,
-- written with it, changed with it, and kept with three indexes of its own. What that row said beyond the charge stands
-- in the charge now: the card, and what the networks' rules ask of it.
--
-- card_attempts keeps what merchants report, and our own charges from before. Whoever judges a card reads both, by
-- the view.
alter table psp_transactions add column card_key text;
alter table psp_transactions add column network text;
alter table psp_transactions add column credential text;
alter table psp_transactions add column acquirer_country text;
-- The advice that its decline keeps for the card. The network's code stands in the decline itself.
alter table psp_transactions add column advice_code text;
-- Null: nobody said. A decline of which nobody said it is read as one that may forbid its card.
alter table psp_transactions add column hard_decline boolean;
alter table psp_transactions add constraint psp_transactions_card
  check (card_key is null and network is null and credential is null
    or length(card_key) between 3 and 320
       and network in ('visa', 'mastercard', 'amex', 'discover', 'elo', 'sepa_debit', 'ach', 'unknown')
       and credential in ('pan', 'token')) not valid;
alter table psp_transactions add constraint psp_transactions_card_lengths
  check (length(acquirer_country) = 2 and length(advice_code) <= 64) not valid;
alter table psp_transactions add constraint psp_transactions_hard_declines_are_declines
  check (hard_decline is not true or state = 'declined') not valid;

-- Our own charges in card_attempts are those that were there before: true for the rows that are there, false for
-- every new one that does not say it. So the release before, which does not read these charges' cards and would judge
-- on half a history, begins no charge any more; all else that it does goes on.
alter table card_attempts add column is_legacy boolean not null default true;
alter table card_attempts alter column is_legacy set default false;
alter table card_attempts add constraint card_attempts_own_are_legacy
  check (origin = 'reported' or is_legacy) not valid;

-- Every charge that counts for a card. A charge that was never made has no place; one that is on its way, or unknown,
-- counts as sent.
create view card_histories as
  select merchant_id, charge_ref, card_key, acceptor, origin, network, initiator, credential, payment_method_id,
         invoice_id, amount_minor, currency, acquirer_country, outcome, network_code, advice_code, hard_decline, at
  from card_attempts
  union all
  select merchant_id, idempotency_key, card_key, psp, 'own', network, 'mit', credential, payment_method_id,
         invoice_id, amount_minor, currency, acquirer_country,
         case state when 'succeeded' then 'approved' when 'declined' then 'declined' else 'sent' end,
         left(decline ->> 'networkCode', 64), advice_code, coalesce(hard_decline, state = 'declined'), sent_at
  from psp_transactions
  where card_key is not null and state <> 'not_made';
