-- Room for the next version of a row in its own page, where what changes stands in no index: such an
-- update (heap-only) enters none of the table's indexes. A card's version rises with each charge, a
-- place in its history gets its outcome, a delivery is leased before it is sent.
alter table cards set (fillfactor = 80);
alter table card_attempts set (fillfactor = 70);
alter table deliveries set (fillfactor = 70);
