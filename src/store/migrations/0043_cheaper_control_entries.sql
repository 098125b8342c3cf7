-- What control entries cost. A success was looked for in payments for each event, though its charge says
-- all, and a claim of payments, which never recovers any, was joined with itself.

-- The payment is read only of an event whose charge is not there.
create or replace function announced_facts(e events)
returns table (day date, psp text, connection_version integer, currency text, amount_minor bigint)
language sql stable as $$
  select utc_day(coalesce(t.settled_at, e.created_at)),
         coalesce(t.psp, (select p.psp from payments p
                          where p.merchant_id = e.merchant_id and p.invoice_id = e.invoice_id)),
         coalesce(t.connection_version, 0), s.currency, s.amount_minor
  from told_success(e.body) s
  left join lateral (
    select o.psp, o.connection_version, o.settled_at
    from (select * from psp_transactions
          where merchant_id = e.merchant_id and attempt_id = e.attempt_id offset 0) o
    where o.state = 'succeeded' order by o.contradicts limit 1
  ) t on true
  -- Named in it, the success is there before earlier events are looked for: most tell of none.
  where e.type = 'retry_result' and not exists (
    select from events o cross join lateral told_success(o.body) first
    where o.merchant_id = e.merchant_id and o.invoice_id = e.invoice_id and o.type = 'retry_result'
      and o.sequence < e.sequence and coalesce(s.currency, '') is not null
    offset 0)
$$;

-- Of a payment that was recovered before and is now, both sides cancel out before anything is looked up.
create or replace function note_recovered_payments() returns trigger language plpgsql as $$
begin
  if not exists (
    select from (select state from became union all select state from was) s where s.state = 'recovered')
  then
    return null;
  end if;
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select p.merchant_id, f.day, p.psp, f.connection_version, f.currency, 'recovered', sum(p.sign),
         sum(p.sign * f.amount_minor)
  from (
    select c.merchant_id, c.invoice_id, sum(c.sign) as sign, min(c.psp) as psp,
           min(c.updated_at) as updated_at, min(c.currency) as currency,
           min(c.amount_minor) as amount_minor
    from (
      select 1 as sign, b.merchant_id, b.invoice_id, b.psp, b.updated_at, b.currency, b.amount_minor
      from became b where b.state = 'recovered'
      union all
      select -1, w.merchant_id, w.invoice_id, w.psp, w.updated_at, w.currency, w.amount_minor
      from was w where w.state = 'recovered'
    ) c
    group by 1, 2 having sum(c.sign) <> 0
  ) p
  cross join lateral recovered_facts(p.merchant_id, p.invoice_id, p.updated_at, p.currency,
    p.amount_minor) f
  group by 1, 2, 3, 4, 5;
  return null;
end $$;
