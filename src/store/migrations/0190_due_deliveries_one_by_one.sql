-- An entry of its own for each delivery that is due. PostgreSQL joins the rows of equal keys to one entry, as events
-- have that were written or are asked for again at one instant, and such an entry is marked dead only when all of its
-- rows are: so each claim went once more over every row that had been sent since, with a look at the table for each.
-- Both indexes hold what is due alone, so there is little to save. What is in them now stays joined until it is sent.
alter index deliveries_due set (deduplicate_items = off);
alter index deliveries_due_first set (deduplicate_items = off);
alter index endpoint_deliveries_due set (deduplicate_items = off);
alter index endpoint_deliveries_due_first set (deduplicate_items = off);
