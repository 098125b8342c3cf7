import type { AssignDispute, Assignee, AssignOutcome } from '../../../disputes/desk/desk-ports.ts';
import type { OfMerchants } from '../../../domain/access/of-merchants.ts';
import { present } from '../../../domain/present.ts';
import { appendAudit } from '../../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../../database.ts';

/** Who may answer disputes, and sees any of these merchants: `$1`, null for all. */
const mayAnswer = `o.removed_at is null and o.role <> 'viewer'
      and ($1::text[] is null or o.merchants is null or o.merchants && $1)`;

const candidates: Statement = {
  name: 'list_dispute_assignees',
  text: `
    select o.operator_id, o.name from operators o
    where ${mayAnswer}
    order by lower(o.name), o.operator_id
    limit 500`,
};

const candidate: Statement = {
  name: 'find_dispute_assignee',
  text: `select o.operator_id, o.name from operators o where ${mayAnswer} and o.operator_id = $2`,
};

/** Of disputes by their ids, which name merchants too. */
const ofDisputes: Statement = {
  name: 'find_assignees_of_disputes',
  text: `
    select a.dispute_id, o.operator_id, o.name
    from dispute_assignments a
    join operators o on o.operator_id = a.operator_id and o.removed_at is null
    where (a.merchant_id, a.dispute_id) in (select * from unnest($1::text[], $2::text[]))`,
};

const put: Statement = {
  name: 'assign_dispute',
  text: `
    with before as (
      select operator_id from dispute_assignments where merchant_id = $1 and dispute_id = $2
    ), written as (
      insert into dispute_assignments (merchant_id, dispute_id, operator_id, assigned_at)
      values ($1, $2, $3, $4)
      on conflict (merchant_id, dispute_id) do update
      set operator_id = excluded.operator_id, assigned_at = excluded.assigned_at
    )
    select operator_id from before`,
};

const clear: Statement = {
  name: 'unassign_dispute',
  text: `
    delete from dispute_assignments where merchant_id = $1 and dispute_id = $2
    returning operator_id`,
};

interface Row {
  readonly operator_id: string;
  readonly name: string;
}

/** Those whom a dispute of these merchants may be given to, by name. */
export async function listAssignees(
  db: Queryable,
  { merchantIds }: OfMerchants,
): Promise<readonly Assignee[]> {
  return (await db.query<Row>(candidates, [merchantIds])).map(toAssignee);
}

/** By the ids of the disputes that somebody works on. */
export async function assigneesOf(
  db: Queryable,
  disputes: readonly { readonly merchantId: string; readonly disputeId: string }[],
): Promise<ReadonlyMap<string, Assignee>> {
  if (disputes.length === 0) return new Map();
  const rows = await db.query<Row & { readonly dispute_id: string }>(ofDisputes, [
    disputes.map(({ merchantId }) => merchantId),
    disputes.map(({ disputeId }) => disputeId),
  ]);
  return new Map(rows.map((row) => [row.dispute_id, toAssignee(row)]));
}

/** Gives a dispute that is there to somebody, or to nobody. It and its line of the audit log are one transaction. */
export function assignDispute(
  db: Database,
  { merchantId, disputeId, operatorId, at }: AssignDispute & { readonly at: Date },
): Promise<AssignOutcome> {
  return db.transaction(async (tx) => {
    const key = [merchantId, disputeId];
    const [found] =
      operatorId === undefined ? [] : await tx.query<Row>(candidate, [[merchantId], operatorId]);
    if (operatorId !== undefined && found === undefined) return { kind: 'no_operator' };
    const rows =
      operatorId === undefined
        ? await tx.query<Pick<Row, 'operator_id'>>(clear, key)
        : await tx.query<Pick<Row, 'operator_id'>>(put, [...key, operatorId, at]);
    const before = rows[0]?.operator_id;
    if (before !== operatorId) {
      const values = {
        before: present({ assigned_to: before }),
        after: present({ assigned_to: operatorId }),
      };
      const detail = { dispute_id: disputeId };
      await appendAudit(tx, merchantId, { action: 'dispute.assigned', detail, ...values, at });
    }
    return found === undefined
      ? { kind: 'nobody' }
      : { kind: 'assigned', assignee: toAssignee(found) };
  });
}

function toAssignee({ operator_id: operatorId, name }: Row): Assignee {
  return { operatorId, name };
}
