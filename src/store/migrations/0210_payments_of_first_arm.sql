-- A payment is of the arm that its first decision gave it (store/reports/assignment.ts). Before, it was of the arm of
-- its last one: each step of a merchant's learned share handed payments to the model that the schedule had not
-- recovered, and those that it had recovered stayed its own, so the learned arm had the worst of both. What is counted
-- of payments from before is counted again with the next looks, from the first payment on; the sums stay as they are
-- for whoever reads them meanwhile, and say no later time than before.
update rollup_progress
set begun_at = coalesce(begun_at, through_at), cursor_at = '-infinity', cursor_keys = '{"",""}'
where name = 'uplift' and through_at > '-infinity';
