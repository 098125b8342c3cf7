-- When a person began to leave an incident as it is. Dismissing takes several transactions (the open charge is settled as
-- kept, or the payment is stopped, and only then is the incident over), and a refund that began between them gave back the
-- money of a debt that was recorded as paid or stopped. One statement decides now: a refund begins only where this is null,
-- and a dismissal only where no refund has begun. The constraint also holds a release from before to this, which asks for
-- the mark in no statement. A dismissal that was cut off leaves its mark, and is repeated.
alter table incidents add column dismissal_begun_at timestamptz;
alter table incidents
  add constraint incidents_dismissal_begun
    check (dismissal_begun_at is null or state in ('open', 'dismissed')) not valid;
