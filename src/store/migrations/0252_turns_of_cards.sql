-- Of two charges of a card that were judged on the same history one is begun. A row of cards said so, written with each
-- charge; now the charge itself does, by its turn: the next one after the last turn that was read with the history, and
-- each turn of a card once. That is a row less for each attempt, and no index more, since that of the turns takes the
-- place of the one by time. Rows of cards remain for what is told of a card otherwise: a charge that a merchant reports,
-- a decline that may forbid the card, a name that it is known by from then on.
alter table psp_transactions add column card_turn bigint;
-- Null for the rows that are there, and 0, which is refused, for each new one that does not say it: the release before, whose
-- charges take no turns, begins none any more.
alter table psp_transactions alter column card_turn set default 0;
alter table psp_transactions add constraint psp_transactions_has_its_turn
  check (card_key is null or card_turn <> 0) not valid;
