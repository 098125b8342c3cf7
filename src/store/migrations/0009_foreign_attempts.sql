-- Whose charge a reported transaction was. PSPs report every charge of an account, ours too, and often
-- before their answer to our call has been recorded. So nothing is marked when a report is stored: two
-- views say it from what is known at the time of reading. `offset 0` keeps each of their questions an
-- index look for each row: as a join the planner would read a merchant's whole history for one invoice.

-- When the operator was told that somebody else charges this invoice: once for each.
alter table payments add column foreign_warned_at timestamptz;

-- Transactions of others than Recoup: the merchant, its subscription platform, the PSP's own retries.
create view merchant_transactions as
  select t.* from transactions t
  where not exists (
    select from psp_transactions own
    where own.merchant_id = t.merchant_id and own.psp_transaction_id = t.psp_transaction_id
    offset 0
  );

-- Those that fell into the recovery of their invoice: somebody charges beside Recoup. Not among them:
-- what the first report told, and, until it is settled, what was reported while a charge of ours was
-- on its way without an id of the PSP's, since it may be that one.
create view foreign_attempts as
  select t.*
  from payments p
  join merchant_transactions t using (merchant_id, invoice_id)
  where t.received_at > p.created_at and t.occurred_at > p.created_at
    and t.psp_transaction_id <> p.original_psp_transaction_id
    and (p.state in ('scheduled', 'attempting') or t.occurred_at <= p.updated_at)
    and not exists (
      select from psp_transactions open
      where open.merchant_id = p.merchant_id and open.invoice_id = p.invoice_id
        and open.state in ('sending', 'unknown') and open.sent_at <= t.received_at
      offset 0
    );
