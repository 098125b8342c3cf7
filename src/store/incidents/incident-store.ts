import type { Random } from '../../domain/random.ts';
import type {
  BeginOutcome,
  IncidentStore,
  MoveIncident,
  MoveOutcome,
} from '../../recovery/incidents/incident-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { freezeDebt, lockDebt, unfreezeDebt } from './freeze-debt.ts';
import { chargeOf, decidedElsewhere } from './lock-same-charge.ts';
import { openIncident } from './open-incident.ts';
import { findGoesOn, findIncident, findIncidentsByCharge } from './read-incidents.ts';

export function createIncidentStore(deps: {
  readonly db: Database;
  readonly random: Random;
}): IncidentStore {
  const { db } = deps;
  return {
    open: (input) => db.transaction((tx) => openIncident(deps, tx, input)),
    find: (input) => findIncident(db, input),
    findGoesOn: (input) => findGoesOn(db, input),
    findByCharge: (input) => findIncidentsByCharge(db, input),
    beginDismissal: (input) => db.transaction((tx) => beginDismissal(tx, input)),
    move: (input) => db.transaction((tx) => moveIncident(tx, input)),
  };
}

const invoiceOf: Statement = {
  name: 'invoice_of_incident',
  text: 'select invoice_id from incidents where merchant_id = $1 and incident_id = $2',
};

/** A refund that begins counts those that failed with other incidents of its charge: a key stands for one refund. */
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
        failed_refunds = case
          when $4 = 'open' then failed_refunds + 1
          when $3 = 'open' and $4 = 'refunding' then greatest(failed_refunds, (
            select max(i.failed_refunds) from incidents i
            where i.merchant_id = incidents.merchant_id and i.psp = incidents.psp
              and ${chargeOf('i.')} = ${chargeOf('incidents.')}))
          else failed_refunds
        end,
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

/** The payment is locked before the incident, as where one is opened. */
async function lockDebtOf(
  tx: Queryable,
  { merchantId, incidentId }: Pick<MoveIncident, 'merchantId' | 'incidentId'>,
): Promise<void> {
  const [row] = await tx.query<{ invoice_id: string | null }>(invoiceOf, [merchantId, incidentId]);
  const invoiceId = row?.invoice_id ?? undefined;
  if (invoiceId !== undefined) await lockDebt(tx, { merchantId, invoiceId });
}

async function beginDismissal(
  tx: Queryable,
  input: Parameters<IncidentStore['beginDismissal']>[0],
): Promise<BeginOutcome> {
  const { merchantId, incidentId, failedRefunds, at } = input;
  await lockDebtOf(tx, input);
  const excluded = await decidedElsewhere(tx, input, 'dismiss');
  if (excluded !== undefined) return excluded;
  const begun = await tx.query(markDismissal, [merchantId, incidentId, failedRefunds, at]);
  return begun.length > 0 ? 'begun' : 'not_as_read';
}

async function moveIncident(tx: Queryable, input: MoveIncident): Promise<MoveOutcome> {
  const { merchantId, incidentId, from, failedRefunds, to, at, refundId, resolution } = input;
  await lockDebtOf(tx, input);
  const begins = from === 'open' && to === 'refunding';
  const excluded = begins ? await decidedElsewhere(tx, input, 'refund') : undefined;
  if (excluded !== undefined) return excluded;
  const values = [merchantId, incidentId, from, to, at, refundId, resolution, failedRefunds];
  const [moved] = await tx.query<{ invoice_id: string | null }>(move, values);
  if (moved === undefined) return 'not_as_read';
  if (moved.invoice_id !== null) {
    const debt = { merchantId, invoiceId: moved.invoice_id, at };
    await (to === 'open' ? freezeDebt(tx, debt) : unfreezeDebt(tx, debt));
  }
  await appendAudit(tx, merchantId, input.audit);
  return 'moved';
}
