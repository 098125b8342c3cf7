-- Entries of the control totals by statement: charges, payments and deliveries change in batches of one
-- merchant and day, and one entry says what a hundred said. A charge that succeeds wrote five entries of
-- its own, and each of them ran a function: a fifth of what an attempt cost the database.

-- A success among an attempt's charges is found by the attempt's key. `offset 0` keeps its state out of
-- the choice of the index: the partial indexes of successes are small while the table is, and a plan that
-- was made then would read all successes of a merchant for each.
create function recovered_facts(merchant text, invoice text, changed_at timestamptz, own_currency text,
  own_amount_minor bigint)
returns table (day date, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(coalesce(a.ended_at, changed_at)), coalesce(t.connection_version, 0),
         coalesce(a.currency, own_currency), coalesce(a.amount_minor, own_amount_minor)
  from (select) one
  left join lateral (
    select o.attempt_id, o.ended_at, o.currency, o.amount_minor
    from (select * from attempts where merchant_id = merchant and invoice_id = invoice offset 0) o
    where o.state = 'succeeded' order by o.contradicts limit 1
  ) a on true
  left join lateral (
    select o.connection_version
    from (select * from psp_transactions
          where merchant_id = merchant and attempt_id = a.attempt_id offset 0) o
    where o.state = 'succeeded' order by o.contradicts limit 1
  ) t on true
$$;
create or replace function recovered_facts(p payments)
returns table (day date, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select * from recovered_facts(p.merchant_id, p.invoice_id, p.updated_at, p.currency, p.amount_minor)
$$;

create or replace function announced_facts(e events)
returns table (day date, psp text, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(coalesce(t.settled_at, e.created_at)), coalesce(t.psp, p.psp),
         coalesce(t.connection_version, 0), s.currency, s.amount_minor
  from told_success(e.body) s
  left join lateral (
    select o.psp, o.connection_version, o.settled_at
    from (select * from psp_transactions
          where merchant_id = e.merchant_id and attempt_id = e.attempt_id offset 0) o
    where o.state = 'succeeded' order by o.contradicts limit 1
  ) t on true
  -- Only of an event whose charge is not there.
  left join payments p
    on t.psp is null and p.merchant_id = e.merchant_id and p.invoice_id = e.invoice_id
  where e.type = 'retry_result' and not exists (
    select from events o cross join lateral told_success(o.body) first
    where o.merchant_id = e.merchant_id and o.invoice_id = e.invoice_id and o.type = 'retry_result'
      and o.sequence < e.sequence)
$$;

-- What was counted of the rows before is taken back, what is counted of them now is added; where both are
-- the same there is no entry.
drop trigger note_settled_charge on psp_transactions;
create function note_settled_charges() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select t.merchant_id, utc_day(t.settled_at), t.psp, t.connection_version, t.currency,
         case t.state when 'succeeded' then 'charged' else 'declined' end as kind,
         sum(t.sign), sum(t.sign * t.amount_minor)
  from (
    select -1 as sign, w.* from was w
    union all
    select 1, b.* from became b
  ) t
  where t.state in ('succeeded', 'declined')
    and (t.state = 'declined' or not t.contradicts or not exists (
      select from psp_transactions o
      where o.merchant_id = t.merchant_id and o.invoice_id = t.invoice_id and o.state = 'succeeded'
        and not o.contradicts))
  group by 1, 2, 3, 4, 5, 6
  having sum(t.sign) <> 0 or sum(t.sign * t.amount_minor) <> 0;
  return null;
end $$;
create trigger note_settled_charges after update on psp_transactions
  referencing old table as was new table as became
  for each statement execute function note_settled_charges();

drop trigger note_recovered_payment on payments;
create function note_recovered_payments() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select p.merchant_id, f.day, p.psp, f.connection_version, f.currency, 'recovered', sum(p.sign),
         sum(p.sign * f.amount_minor)
  from (
    select 1 as sign, b.* from became b
    where b.state = 'recovered' and not exists (
      select from was w
      where w.merchant_id = b.merchant_id and w.invoice_id = b.invoice_id and w.state = 'recovered')
    union all
    select -1, w.* from was w
    where w.state = 'recovered' and not exists (
      select from became b
      where b.merchant_id = w.merchant_id and b.invoice_id = w.invoice_id and b.state = 'recovered')
  ) p
  cross join lateral recovered_facts(p.merchant_id, p.invoice_id, p.updated_at, p.currency,
    p.amount_minor) f
  group by 1, 2, 3, 4, 5;
  return null;
end $$;
create trigger note_recovered_payments after update on payments
  referencing old table as was new table as became
  for each statement execute function note_recovered_payments();

drop trigger note_changed_delivery on deliveries;
create function note_changed_deliveries() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select d.merchant_id, utc_day(d.created_at), '', 0, '', d.state, sum(d.sign), 0
  from (
    select -1 as sign, w.merchant_id, w.created_at, w.state from was w
    union all
    select 1, b.merchant_id, b.created_at, b.state from became b
  ) d
  group by 1, 2, d.state
  having sum(d.sign) <> 0;
  return null;
end $$;
create trigger note_changed_deliveries after update on deliveries
  referencing old table as was new table as became
  for each statement execute function note_changed_deliveries();

-- The functions of single rows are left to rows that are added or deleted, which is rare.
create or replace function note_changed_delivery() returns trigger language plpgsql as $$
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  values (old.merchant_id, utc_day(old.created_at), '', 0, '', old.state, -1, 0);
  return null;
end $$;
