-- The disputes of those who were erased before 0293: the hash may have come back since. Rows of merchants that have left,
-- or are about to, are the other cell's. It has its number after 0294, which is a step by itself: the lock that 0293
-- takes on the table has ended by then.
update disputes d set email_index = null, email_forgotten = true
where exists (
    select from dispute_matches m
    join analytics a on a.merchant_id = m.merchant_id and a.analytics_id = m.analytics_id
    where m.merchant_id = d.merchant_id and m.dispute_id = d.dispute_id and a.state = 'erased')
  and not exists (
    select from merchant_moves v where v.merchant_id = d.merchant_id and v.state in ('fenced', 'moved'));
