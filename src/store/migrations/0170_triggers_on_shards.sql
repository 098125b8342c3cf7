-- Triggers that run on Citus too, where a cell's tables are shards: other tables, under other names, of other row
-- types, behind the ones that statements name. Four things are refused there, and done otherwise here:
--
-- - A query may name a transition table or a table, not both at once. So what has changed is read first, from the
--   transition tables alone, and written after that, with values.
-- - A shard's row is no row of the table's type, so none is handed whole to a function: its fields are.
-- - A function that reads tables is planned within the query that calls it, where those tables are empty. So what
--   it reads stands in the trigger's own statements, or in a PL/pgSQL function, which is never planned within another.
-- - `insert … select` into a table that numbers its rows is deparsed to a text without sense. So entries are
--   inserted one by one: they are few.
--
-- What is written is what was before: one entry for each merchant, day and kind that a statement changed. The
-- functions that took rows stay for the release before this one.

-- Both of the next are planned once: by the number of rows in an array a plan would be made anew each time, which
-- takes longer than they do.
--
-- What came of payments that began or ceased to be recovered: the attempt that succeeded says how much and when.
create function note_recovered(merchants text[], invoices text[], signs integer[], psps text[],
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
      from (select * from attempts where merchant_id = p.merchant and invoice_id = p.invoice offset 0) o
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

-- What events tell of money that came. Of several that tell of a success of one invoice the first is counted.
create function note_announced(merchants text[], invoices text[], attempt_ids text[], sequences bigint[],
  signs integer[], told_at timestamptz[], currencies text[], amounts bigint[])
returns void language plpgsql set plan_cache_mode = force_generic_plan as $$
declare
  entry record;
begin
  for entry in
    select e.merchant, utc_day(coalesce(t.settled_at, e.told)) as day,
           coalesce(t.psp, (select p.psp from payments p
                            where p.merchant_id = e.merchant and p.invoice_id = e.invoice)) as psp,
           coalesce(t.connection_version, 0) as connection_version, e.told_currency as currency,
           sum(e.sign) as items, sum(e.sign * e.amount) as amount_minor
    from unnest(merchants, invoices, attempt_ids, sequences, signs, told_at, currencies, amounts)
      as e (merchant, invoice, attempt, sequence, sign, told, told_currency, amount)
    left join lateral (
      select o.psp, o.connection_version, o.settled_at
      from (select * from psp_transactions
            where merchant_id = e.merchant and attempt_id = e.attempt offset 0) o
      where o.state = 'succeeded' order by o.contradicts limit 1
    ) t on true
    where not exists (
      select from events o cross join lateral told_success(o.body) first
      where o.merchant_id = e.merchant and o.invoice_id = e.invoice and o.type = 'retry_result'
        and o.sequence < e.sequence
      offset 0)
    group by 1, 2, 3, 4, 5
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant, entry.day, entry.psp, entry.connection_version, entry.currency, 'announced',
            entry.items, entry.amount_minor);
  end loop;
end $$;

create or replace function note_settled_charges() returns trigger language plpgsql as $$
declare
  entry record;
  -- Debts with a success beside their own: what came twice is an incident, and not counted.
  of_merchants text[];
  of_invoices text[];
begin
  if exists (
    select from (select contradicts from became union all select contradicts from was) t where t.contradicts)
  then
    select array_agg(t.merchant_id), array_agg(t.invoice_id) into of_merchants, of_invoices
    from (
      select w.merchant_id, w.invoice_id from was w where w.contradicts
      union
      select b.merchant_id, b.invoice_id from became b where b.contradicts
    ) t;
    select array_agg(d.merchant), array_agg(d.invoice) into of_merchants, of_invoices
    from unnest(of_merchants, of_invoices) as d (merchant, invoice)
    where exists (
      select from psp_transactions o
      where o.merchant_id = d.merchant and o.invoice_id = d.invoice and o.state = 'succeeded'
        and not o.contradicts);
  end if;
  for entry in
    select t.merchant_id, utc_day(t.settled_at) as day, t.psp, t.connection_version, t.currency,
           case t.state when 'succeeded' then 'charged' else 'declined' end as kind,
           sum(t.sign) as items, sum(t.sign * t.amount_minor) as amount_minor
    from (
      select -1 as sign, w.* from was w
      union all
      select 1, b.* from became b
    ) t
    where t.state in ('succeeded', 'declined')
      and (t.state = 'declined' or not t.contradicts or not exists (
        select from unnest(of_merchants, of_invoices) as o (merchant, invoice)
        where o.merchant = t.merchant_id and o.invoice = t.invoice_id))
    group by 1, 2, 3, 4, 5, 6
    having sum(t.sign) <> 0 or sum(t.sign * t.amount_minor) <> 0
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant_id, entry.day, entry.psp, entry.connection_version, entry.currency, entry.kind,
            entry.items, entry.amount_minor);
  end loop;
  return null;
end $$;

-- Of a payment that was recovered before and is now, both sides cancel out before anything is looked up.
create or replace function note_recovered_payments() returns trigger language plpgsql as $$
declare
  changed record;
begin
  if not exists (
    select from (select state from became union all select state from was) s where s.state = 'recovered')
  then
    return null;
  end if;
  select array_agg(p.merchant_id) as merchants, array_agg(p.invoice_id) as invoices,
         array_agg(p.sign::integer) as signs, array_agg(p.psp) as psps, array_agg(p.updated_at) as changed_at,
         array_agg(p.currency) as currencies, array_agg(p.amount_minor) as amounts
  into changed
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
  ) p;
  if changed.merchants is not null then
    perform note_recovered(changed.merchants, changed.invoices, changed.signs, changed.psps,
      changed.changed_at, changed.currencies, changed.amounts);
  end if;
  return null;
end $$;

create or replace function note_new_events() returns trigger language plpgsql as $$
declare
  entry record;
  told record;
begin
  for entry in
    select e.merchant_id, utc_day(e.created_at) as day, count(*) as items from fresh e group by 1, 2
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant_id, entry.day, '', 0, '', 'created', entry.items, 0);
  end loop;
  -- Most tell of none.
  if not exists (
    select from fresh e where e.type = 'retry_result' and e.body like '%"success":true%')
  then
    return null;
  end if;
  select array_agg(e.merchant_id) as merchants, array_agg(e.invoice_id) as invoices,
         array_agg(e.attempt_id) as attempt_ids, array_agg(e.sequence) as sequences, array_agg(1) as signs,
         array_agg(e.created_at) as told_at, array_agg(s.currency) as currencies,
         array_agg(s.amount_minor) as amounts
  into told
  from fresh e cross join lateral told_success(e.body) s
  where e.type = 'retry_result';
  if told.merchants is not null then
    perform note_announced(told.merchants, told.invoices, told.attempt_ids, told.sequences, told.signs,
      told.told_at, told.currencies, told.amounts);
  end if;
  return null;
end $$;

create or replace function note_new_deliveries() returns trigger language plpgsql as $$
declare
  entry record;
begin
  for entry in
    select d.merchant_id, utc_day(d.created_at) as day, d.state, count(*) as items
    from fresh d group by 1, 2, 3
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant_id, entry.day, '', 0, '', entry.state, entry.items, 0);
  end loop;
  return null;
end $$;

create or replace function note_changed_deliveries() returns trigger language plpgsql as $$
declare
  entry record;
begin
  for entry in
    select d.merchant_id, utc_day(d.created_at) as day, d.state, sum(d.sign) as items
    from (
      select -1 as sign, w.merchant_id, w.created_at, w.state from was w
      union all
      select 1, b.merchant_id, b.created_at, b.state from became b
    ) d
    group by 1, 2, 3 having sum(d.sign) <> 0
  loop
    insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
    values (entry.merchant_id, entry.day, '', 0, '', entry.state, entry.items, 0);
  end loop;
  return null;
end $$;

-- Of single rows, which is rare: what is added or deleted.
create function note_charge(merchant text, invoice text, day date, psp text, connection_version integer,
  currency text, state text, contradicts boolean, sign integer, amount bigint)
returns void language plpgsql as $$
begin
  if state not in ('succeeded', 'declined') then return; end if;
  if state = 'succeeded' and contradicts and exists (
    select from psp_transactions o
    where o.merchant_id = merchant and o.invoice_id = invoice and o.state = 'succeeded'
      and not o.contradicts)
  then
    return;
  end if;
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  values (merchant, day, psp, connection_version, currency,
          case when state = 'succeeded' then 'charged' else 'declined' end, sign, sign * amount);
end $$;
create or replace function note_changed_charge() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' then
    perform note_charge(old.merchant_id, old.invoice_id, utc_day(old.settled_at), old.psp,
      old.connection_version, old.currency, old.state, old.contradicts, -1, old.amount_minor);
  end if;
  if tg_op <> 'DELETE' then
    perform note_charge(new.merchant_id, new.invoice_id, utc_day(new.settled_at), new.psp,
      new.connection_version, new.currency, new.state, new.contradicts, 1, new.amount_minor);
  end if;
  return null;
end $$;

create or replace function note_changed_payment() returns trigger language plpgsql as $$
begin
  if tg_op <> 'INSERT' and old.state = 'recovered' then
    perform note_recovered(array[old.merchant_id], array[old.invoice_id], array[-1], array[old.psp],
      array[old.updated_at], array[old.currency], array[old.amount_minor]);
  end if;
  if tg_op <> 'DELETE' and new.state = 'recovered' then
    perform note_recovered(array[new.merchant_id], array[new.invoice_id], array[1], array[new.psp],
      array[new.updated_at], array[new.currency], array[new.amount_minor]);
  end if;
  return null;
end $$;

create function note_event(merchant text, invoice text, attempt text, sequence bigint, type text,
  at timestamptz, body text, sign integer)
returns void language plpgsql as $$
declare
  told record;
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  values (merchant, utc_day(at), '', 0, '', 'created', sign, 0);
  if type <> 'retry_result' then return; end if;
  for told in select s.currency, s.amount_minor from told_success(body) s loop
    perform note_announced(array[merchant], array[invoice], array[attempt], array[sequence], array[sign],
      array[at], array[told.currency], array[told.amount_minor]);
  end loop;
end $$;
create or replace function note_changed_event() returns trigger language plpgsql as $$
begin
  perform note_event(old.merchant_id, old.invoice_id, old.attempt_id, old.sequence, old.type,
    old.created_at, old.body, -1);
  if tg_op = 'UPDATE' then
    perform note_event(new.merchant_id, new.invoice_id, new.attempt_id, new.sequence, new.type,
      new.created_at, new.body, 1);
  end if;
  return null;
end $$;

create or replace function note_incident() returns trigger language plpgsql as $$
declare
  is_new constant boolean := tg_op = 'INSERT';
begin
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  values (new.merchant_id, utc_day(case when is_new then new.opened_at else new.resolved_at end),
          new.psp, coalesce(new.connection_version, 0),
          coalesce(new.theirs ->> 'currency', new.ours ->> 'currency', ''),
          case when is_new then 'incidents' else 'refunded' end, 1,
          coalesce((new.theirs ->> 'amount_minor')::bigint, (new.ours ->> 'amount_minor')::bigint, 0));
  return null;
end $$;

-- The hash of a line, of its fields.
create function audit_line_hash(previous_hash bytea, merchant text, line bigint, at timestamptz, actor text,
  address text, action text, detail jsonb, old_value jsonb, new_value jsonb)
returns bytea language sql stable as $$
  select sha256(previous_hash || convert_to(jsonb_build_array(
    merchant, line, (extract(epoch from at) * 1000000)::bigint, actor, address, action, detail, old_value,
    new_value)::text, 'UTF8'))
$$;
create or replace function audit_line_hash(of audit_log) returns bytea language sql stable as $$
  select audit_line_hash(of.previous_hash, of.merchant_id, of.line, of.at, of.actor, of.address, of.action,
    of.detail, of.old_value, of.new_value)
$$;

create or replace function chain_audit_line() returns trigger language plpgsql as $$
declare
  nothing constant bytea := decode(repeat('00', 32), 'hex');
  head_line bigint;
  head_hash bytea;
begin
  select line, hash into head_line, head_hash from audit_heads where merchant_id = new.merchant_id
  for no key update;
  if not found then
    -- Two first lines at once: the second waits here for the first.
    insert into audit_heads (merchant_id, line, hash) values (new.merchant_id, 1, nothing)
    on conflict (merchant_id) do nothing;
    if found then
      head_line := 0;
      head_hash := nothing;
    else
      select line, hash into strict head_line, head_hash from audit_heads where merchant_id = new.merchant_id
      for no key update;
    end if;
  end if;
  new.line := head_line + 1;
  new.previous_hash := head_hash;
  new.hash := audit_line_hash(new.previous_hash, new.merchant_id, new.line, new.at, new.actor, new.address,
    new.action, new.detail, new.old_value, new.new_value);
  update audit_heads set line = new.line, hash = new.hash where merchant_id = new.merchant_id;
  return new;
end $$;
-- As the wall has it (0049): whoever may write a line moves the head of its chain by it, and in no other way.
alter function chain_audit_line() security definer;
do $$
begin
  execute format('alter function chain_audit_line() set search_path = %I, pg_temp', current_schema());
end $$;

-- A shard is called after its table, with a number behind it.
create or replace function refuse_audit_change() returns trigger language plpgsql as $$
begin
  -- A head is moved by the trigger of a new line, and by nobody else.
  if tg_table_name ~ '^audit_heads(_\d+)?$' and tg_op in ('INSERT', 'UPDATE') and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'the audit log is append-only: % of % is refused', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end $$;
