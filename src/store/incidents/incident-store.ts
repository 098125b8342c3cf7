import type { Random } from '../../domain/random.ts';
import type {
  BeginOutcome,
  IncidentStore,
  MoveIncident,
  MoveOutcome,
} from '../../recovery/incidents/incident-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { decidedElsewhere } from './lock-same-charge.ts';
import { freezePayment, openIncident } from './open-incident.ts';
import { findIncident, findIncidentsByCharge } from './read-incidents.ts';

export function createIncidentStore(deps: {
  readonly db: Database;
  readonly random: Random;
}): IncidentStore {
  const { db } = deps;
  return {
    open: (input) => db.transaction((tx) => openIncident(deps, tx, input)),
    find: (input) => findIncident(db, input),
    findByCharge: (input) => findIncidentsByCharge(db, input),
    beginDismissal: (input) => db.transaction((tx) => beginDismissal(tx, input)),
    move: (input) => db.transaction((tx) => moveIncident(tx, input)),
  };
}

/** The payment is locked before the incident, as where one is opened. */
const lockPayment: Statement = {
  name: 'lock_payment_of_incident',
  text: `
    select 1 from payments p
    where p.merchant_id = $1
      and p.invoice_id = (select i.invoice_id from incidents i
                          where i.merchant_id = $1 and i.incident_id = $2)
    for update`,
};

const move: Statement = {
  name: 'move_incident',
  text: `
    update incidents
    set state = $4,
        refund_id = case when $4 = 'open' then null else coalesce($6, refund_id) end,
        refund_asked_at = case
          when $4 = 'refunding' then coalesce(refund_asked_at, $5)
          when $4 = 'open' then null
          else refund_asked_at
        end,
        failed_refunds = failed_refunds + case when $4 = 'open' then 1 else 0 end,
        resolution = coalesce($7, resolution),
        resolved_at = case when $4 in ('refunded', 'dismissed') then $5::timestamptz end
    where merchant_id = $1 and incident_id = $2 and state = $3 and failed_refunds = $8
      and ($4 <> 'refunding' or dismissal_begun_at is null)
    returning invoice_id`,
};

const markDismissal: Statement = {
  name: 'begin_dismissal',
  text: `
    update incidents set dismissal_begun_at = coalesce(dismissal_begun_at, $4)
    where merchant_id = $1 and incident_id = $2 and state = 'open' and failed_refunds = $3
    returning incident_id`,
};

/**
 * A payment without an unresolved incident goes on: planned anew, or its open attempt taken up again.
 * Where a lost answer is still looked up, that goes on by itself and ends the attempt.
 */
const unfreeze: Statement = {
  name: 'unfreeze_payment',
  text: `
    update payments p
    set frozen_at = null, revision = p.revision + 1, updated_at = $3,
        due_action = case when p.state = 'scheduled' then 'plan' else p.due_action end,
        next_attempt_at = case
          when p.set_aside_at is not null then null
          when p.state = 'scheduled' then $3::timestamptz
          when p.state = 'attempting' and not exists (
            select from psp_transactions t
            where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
              and t.state = 'unknown')
            then $3::timestamptz
        end
    where p.merchant_id = $1 and p.invoice_id = $2 and p.frozen_at is not null
      and not exists (
        select from incidents i
        where i.merchant_id = p.merchant_id and i.invoice_id = p.invoice_id
          and i.state in ('open', 'refunding'))`,
};

async function beginDismissal(
  tx: Queryable,
  input: Parameters<IncidentStore['beginDismissal']>[0],
): Promise<BeginOutcome> {
  const { merchantId, incidentId, failedRefunds, at } = input;
  await tx.query(lockPayment, [merchantId, incidentId]);
  const excluded = await decidedElsewhere(tx, input, 'dismiss');
  if (excluded !== undefined) return excluded;
  const begun = await tx.query(markDismissal, [merchantId, incidentId, failedRefunds, at]);
  return begun.length > 0 ? 'begun' : 'not_as_read';
}

async function moveIncident(tx: Queryable, input: MoveIncident): Promise<MoveOutcome> {
  const { merchantId, incidentId, from, failedRefunds, to, at, refundId, resolution } = input;
  await tx.query(lockPayment, [merchantId, incidentId]);
  const begins = from === 'open' && to === 'refunding';
  const excluded = begins ? await decidedElsewhere(tx, input, 'refund') : undefined;
  if (excluded !== undefined) return excluded;
  const values = [merchantId, incidentId, from, to, at, refundId, resolution, failedRefunds];
  const [moved] = await tx.query<{ invoice_id: string | null }>(move, values);
  if (moved === undefined) return 'not_as_read';
  if (moved.invoice_id !== null) {
    await tx.query(to === 'open' ? freezePayment : unfreeze, [merchantId, moved.invoice_id, at]);
  }
  await appendAudit(tx, merchantId, input.audit);
  return 'moved';
}
