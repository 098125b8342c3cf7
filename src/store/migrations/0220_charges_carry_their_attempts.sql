-- An attempt is one charge, nearly always, and its row said again what that charge's row says. So where the first
-- charge ends the attempt, as it is made or declined, it carries it from then on: when it was begun and the yes under
-- which it charged, which stand there while it is on its way (0186), its number and the decision that it followed. That
-- is a row less for each attempt, its reference, and two entries of indexes. A row of attempts remains to those without a
-- charge, with several of them, or of which something was learned afterwards.
--
-- Of a charge that carries its attempt.
alter table psp_transactions add column attempt_number integer;
alter table psp_transactions add column attempt_decision jsonb;
alter table psp_transactions add constraint psp_transactions_carries_its_attempt
  check ((attempt_number is null) = (attempt_started_at is null or state = 'sending')
    and (attempt_number is null or attempt_number > 0 and state in ('succeeded', 'declined') and not contradicts)
    and (attempt_decision is null or attempt_number is not null)) not valid;
alter table psp_transactions drop constraint psp_transactions_charge_needs_a_yes;
alter table psp_transactions add constraint psp_transactions_charge_needs_a_yes
  check ((attempt_started_at is null) = (check_answer is null)
    and (attempt_started_at is null or not (check_answer ->> 'retry') is distinct from 'true')) not valid;

-- What the attempt's row referred to.
alter table psp_transactions add constraint psp_transactions_merchant_id_invoice_id_fkey
  foreign key (merchant_id, invoice_id) references payments (merchant_id, invoice_id) not valid;

-- A charge that carries its attempt no more has the row of it. Row by row: hardly any does.
drop trigger told_charges_have_attempts on psp_transactions;
drop function told_charges_have_attempts();
create trigger told_charges_have_attempts after update on psp_transactions
  for each row when (old.attempt_started_at is not null and new.attempt_started_at is null)
  execute function charges_have_attempts();

-- Every attempt but one whose first charge is on its way.
create view recorded_attempts as
  select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, blocked_charges,
         amount_minor, currency, started_at, ended_at, contradicts
  from attempts
  union all
  select merchant_id, attempt_id, invoice_id, attempt_number, state, attempt_decision, check_answer, null,
         amount_minor, currency, attempt_started_at, settled_at, false
  from psp_transactions
  where attempt_number is not null;

create or replace view all_attempts as
  select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, blocked_charges,
         amount_minor, currency, started_at, ended_at, contradicts
  from recorded_attempts
  union all
  select t.merchant_id, t.attempt_id, t.invoice_id,
         1 + coalesce((select max(n.number) from recorded_attempts n
                       where n.merchant_id = t.merchant_id and n.invoice_id = t.invoice_id), 0),
         'charging',
         (select p.decision from payments p
          where p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id),
         t.check_answer, null, t.amount_minor, t.currency, t.attempt_started_at, null, false
  from psp_transactions t
  where t.state = 'sending' and t.attempt_started_at is not null;

-- As 0170 has it, over every attempt that is recorded.
create or replace function note_recovered(merchants text[], invoices text[], signs integer[], psps text[],
  changed_at timestamptz[], currencies text[], amounts bigint[])
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  entry record;
begin
  for entry in
    select p.merchant, utc_day(coalesce(a.ended_at, p.changed)) as day, p.psp,
           coalesce(t.connection_version, 0) as connection_version,
           coalesce(a.currency, p.own_currency) as currency, sum(p.sign) as items,
           sum(p.sign * coalesce(a.amount_minor, p.own_amount)) as amount_minor
    from unnest(merchants, invoices, signs, psps, changed_at, currencies, amounts)
      as p (merchant, invoice, sign, psp, changed, own_currency, own_amount)
    left join lateral (
      select o.attempt_id, o.ended_at, o.currency, o.amount_minor
      from (select * from recorded_attempts where merchant_id = p.merchant and invoice_id = p.invoice offset 0) o
      where o.state = 'succeeded' order by o.contradicts limit 1
    ) a on true
    left join lateral (
      select o.connection_version
      from (select * from psp_transactions
            where merchant_id = p.merchant and attempt_id = a.attempt_id offset 0) o
      where o.state = 'succeeded' order by o.contradicts limit 1
    ) t on true
    group by 1, 2, 3, 4, 5
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant, entry.day, entry.psp, entry.connection_version, entry.currency, 'recovered',
            entry.items, entry.amount_minor);
  end loop;
end $$;
