import { appendAudit } from '../../admin/audit-log.ts';
import type { Queryable, Statement } from '../../database.ts';

/** Disputes of a customer: by their id, or by an analytics record that is theirs and was matched. */
const ofCustomer = `
  join disputes d on d.merchant_id = r.merchant_id and d.dispute_id = r.dispute_id
  where r.merchant_id = $1 and (d.customer_id = $2 or d.match_state = 'matched' and exists (
    select from dispute_matches m
    join analytics a on a.merchant_id = m.merchant_id and a.analytics_id = m.analytics_id
    where m.merchant_id = d.merchant_id and m.dispute_id = d.dispute_id
      and a.subject_id = any ($3::text[])))`;

/** Locked, so that nobody writes to one of them between the count and the erasure. */
const countHeld: Statement = {
  name: 'count_held_dispute_evidence',
  text: `
    select count(*) filter (where status in ('needs_response', 'under_review'))::int as count
    from (select d.status from dispute_rebuttals r ${ofCustomer} for update of r) theirs`,
};

const erase: Statement = {
  name: 'erase_dispute_rebuttals',
  text: `
    delete from dispute_rebuttals where merchant_id = $1 and dispute_id in (
      select r.dispute_id from dispute_rebuttals r ${ofCustomer})
    returning dispute_id`,
};

/** Whose evidence; `subjectIds` are the persons of their analytics records. */
interface Customer {
  readonly merchantId: string;
  readonly customerId: string;
  readonly subjectIds: readonly string[];
}

/** How many open disputes of the customer somebody added evidence to: it is held until they end. */
export async function countHeldAdded(tx: Queryable, customer: Customer): Promise<number> {
  const { merchantId, customerId, subjectIds } = customer;
  const [row] = await tx.query<{ count: number }>(countHeld, [merchantId, customerId, subjectIds]);
  return row?.count ?? 0;
}

/** Removes what persons added to a customer's disputes, with a line of the audit log. */
export async function eraseAdded(
  tx: Queryable,
  { merchantId, customerId, subjectIds, at }: Customer & { readonly at: Date },
): Promise<void> {
  const values = [merchantId, customerId, subjectIds];
  const rows = await tx.query<{ dispute_id: string }>(erase, values);
  if (rows.length === 0) return;
  const detail = { dispute_ids: [...new Set(rows.map((row) => row.dispute_id))].sort() };
  await appendAudit(tx, merchantId, { action: 'dispute.evidence_erased', detail, at }, 'merchant');
}
