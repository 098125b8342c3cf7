-- The audit log becomes evidence: it says from where and what the values were, nothing in it can be
-- changed or taken away, and each line carries the hash of the line before.
--
-- Each merchant has a chain of its own, and so has `*`, what belongs to no merchant: writers of two
-- merchants never wait for each other. Those of one wait on the row of its head, from their line to
-- their commit, so a transaction writes its line last.
--
-- The hash of a line is the SHA-256 of the hash before it (32 zero bytes before the first) and the
-- text of a JSON array of the rest, as PostgreSQL prints jsonb: whoever reads the table can compute it
-- anew without asking these functions.

create table audit_heads (
  merchant_id  text primary key check (length(merchant_id) between 1 and 64),
  line         bigint not null check (line > 0),
  hash         bytea not null check (length(hash) = 32)
);

alter table audit_log
  add column line bigint,
  add column address text check (length(address) <= 100),
  add column old_value jsonb,
  add column new_value jsonb,
  add column previous_hash bytea check (length(previous_hash) = 32),
  add column hash bytea check (length(hash) = 32);

create function audit_line_hash(of audit_log) returns bytea language sql stable as $$
  select sha256(of.previous_hash || convert_to(jsonb_build_array(
    of.merchant_id, of.line, (extract(epoch from of.at) * 1000000)::bigint, of.actor, of.address,
    of.action, of.detail, of.old_value, of.new_value)::text, 'UTF8'))
$$;

-- What was written before this migration, in the order in which it was.
do $$
declare
  each audit_log;
  head audit_heads;
begin
  for each in select * from audit_log order by merchant_id, audit_id loop
    if head.merchant_id is distinct from each.merchant_id then
      if head.merchant_id is not null then insert into audit_heads select head.*; end if;
      head := row(each.merchant_id, 0, decode(repeat('00', 32), 'hex'));
    end if;
    each.line := head.line + 1;
    each.previous_hash := head.hash;
    head.line := each.line;
    head.hash := audit_line_hash(each);
    update audit_log set line = each.line, previous_hash = each.previous_hash, hash = head.hash
    where merchant_id = each.merchant_id and audit_id = each.audit_id;
  end loop;
  if head.merchant_id is not null then insert into audit_heads select head.*; end if;
end $$;

alter table audit_log
  drop constraint audit_log_pkey,
  drop column audit_id,
  add primary key (merchant_id, line),
  alter column previous_hash set not null,
  alter column hash set not null;
create index audit_log_at on audit_log (merchant_id, at, line);

create function chain_audit_line() returns trigger language plpgsql as $$
declare
  head audit_heads;
begin
  select * into head from audit_heads where merchant_id = new.merchant_id for no key update;
  if not found then
    -- Two first lines at once: the second waits here for the first.
    insert into audit_heads values (new.merchant_id, 1, decode(repeat('00', 32), 'hex'))
    on conflict (merchant_id) do nothing;
    if found then
      head := row(new.merchant_id, 0, decode(repeat('00', 32), 'hex'));
    else
      select * into strict head from audit_heads where merchant_id = new.merchant_id
      for no key update;
    end if;
  end if;
  new.line := head.line + 1;
  new.previous_hash := head.hash;
  new.hash := audit_line_hash(new);
  update audit_heads set line = new.line, hash = new.hash where merchant_id = new.merchant_id;
  return new;
end $$;

create trigger chain_audit_line before insert on audit_log
  for each row execute function chain_audit_line();

create function refuse_audit_change() returns trigger language plpgsql as $$
begin
  -- A head is moved by the trigger of a new line, and by nobody else.
  if tg_table_name = 'audit_heads' and tg_op in ('INSERT', 'UPDATE') and pg_trigger_depth() > 1 then
    return new;
  end if;
  raise exception 'the audit log is append-only: % of % is refused', tg_op, tg_table_name
    using errcode = 'insufficient_privilege';
end $$;

create trigger audit_log_is_kept before update or delete on audit_log
  for each row execute function refuse_audit_change();
create trigger audit_log_is_not_emptied before truncate on audit_log
  for each statement execute function refuse_audit_change();
create trigger audit_heads_are_kept before insert or update or delete on audit_heads
  for each row execute function refuse_audit_change();
create trigger audit_heads_are_not_emptied before truncate on audit_heads
  for each statement execute function refuse_audit_change();
