-- A merchant's statement of a day, made once that day is over and never changed: what became known later
-- stands in the statement of the day on which it became known. body is the canonical JSON, byte for
-- byte; hash is the SHA-256 of it, and previous_hash, which stands in the body, that of the day before.
create table statements (
  merchant_id    text not null references merchants,
  day            date not null,
  body           text not null,
  previous_hash  text not null check (previous_hash ~ '^[0-9a-f]{64}$'),
  hash           text not null check (hash ~ '^[0-9a-f]{64}$'),
  made_at        timestamptz not null,
  primary key (merchant_id, day)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
  raise exception 'a statement is never changed';
end $$;
create trigger statements_are_immutable before update on statements
  for each row execute function refuse_change();

-- Incidents and refunds are facts of an account too; an incident without an amount has currency ''.
create function note_incident_fact(i incidents, kind text, at timestamptz) returns void language sql as $$
  insert into control_entries (merchant_id, day, psp, connection_version, currency, kind, items, amount_minor)
  select i.merchant_id, utc_day(at), i.psp, coalesce(i.connection_version, 0),
         coalesce(i.theirs ->> 'currency', i.ours ->> 'currency', ''), kind, 1,
         coalesce((i.theirs ->> 'amount_minor')::bigint, (i.ours ->> 'amount_minor')::bigint, 0)
$$;
create function note_incident() returns trigger language plpgsql as $$
begin
  if tg_op = 'INSERT' then
    perform note_incident_fact(new, 'incidents', new.opened_at);
  else
    perform note_incident_fact(new, 'refunded', new.resolved_at);
  end if;
  return null;
end $$;
create trigger note_opened_incident after insert on incidents
  for each row execute function note_incident();
create trigger note_refunded_incident after update on incidents
  for each row when (old.state <> 'refunded' and new.state = 'refunded')
  execute function note_incident();
