-- An attempt's row was written when its first charge began, and written anew when that ended. Now the charge alone
-- is written first, with what its attempt needs besides, and the attempt comes whole with the charge's end: a row less
-- is written for each attempt, and its indexes are entered once.
--
-- Set while the attempt has no row: when it was begun, and the yes under which it charges.
alter table psp_transactions add column attempt_started_at timestamptz;
alter table psp_transactions add column check_answer jsonb;
alter table psp_transactions add constraint psp_transactions_charge_needs_a_yes
  check ((attempt_started_at is null) = (check_answer is null)
    and (attempt_started_at is null
      or state = 'sending' and not (check_answer ->> 'retry') is distinct from 'true')) not valid;

-- A charge has an attempt, as before: its row is there, or is to come. The reference would ask for the row at once.
create function charges_have_attempts() returns trigger language plpgsql as $$
begin
  if not exists (
    select from attempts where merchant_id = new.merchant_id and attempt_id = new.attempt_id)
  then
    raise exception 'a charge has no attempt' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create function told_charges_have_attempts() returns trigger language plpgsql as $$
declare
  of_merchants text[];
  of_attempts text[];
begin
  select array_agg(w.merchant_id), array_agg(w.attempt_id) into of_merchants, of_attempts
  from was w
  where w.attempt_started_at is not null
    and (w.merchant_id, w.attempt_id, w.ordinal) not in (
      select b.merchant_id, b.attempt_id, b.ordinal from became b where b.attempt_started_at is not null);
  if exists (
    select from unnest(of_merchants, of_attempts) as k (merchant, attempt)
    where not exists (
      select from attempts a where a.merchant_id = k.merchant and a.attempt_id = k.attempt offset 0))
  then
    raise exception 'a charge has no attempt' using errcode = 'foreign_key_violation';
  end if;
  return null;
end $$;

create trigger charges_have_attempts after insert on psp_transactions
  for each row when (new.attempt_started_at is null) execute function charges_have_attempts();
create trigger told_charges_have_attempts after update on psp_transactions
  referencing old table as was new table as became
  for each statement execute function told_charges_have_attempts();
alter table psp_transactions drop constraint psp_transactions_merchant_id_attempt_id_fkey;

-- Every attempt, also one that has begun its first charge and has no row yet.
create view all_attempts as
  select merchant_id, attempt_id, invoice_id, number, state, decision, check_answer, blocked_charges,
         amount_minor, currency, started_at, ended_at, contradicts
  from attempts
  union all
  select t.merchant_id, t.attempt_id, t.invoice_id,
         1 + coalesce((select max(n.number) from attempts n
                       where n.merchant_id = t.merchant_id and n.invoice_id = t.invoice_id), 0),
         'charging',
         (select p.decision from payments p
          where p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id),
         t.check_answer, null, t.amount_minor, t.currency, t.attempt_started_at, null, false
  from psp_transactions t
  where t.state = 'sending' and t.attempt_started_at is not null;
