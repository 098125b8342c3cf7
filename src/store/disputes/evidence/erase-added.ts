import { appendAudit } from '../../admin/audit-log.ts';
import type { Queryable, Statement } from '../../database.ts';
import { openStatuses } from '../status-lists.ts';

/** Disputes of a customer: by their id, or by an analytics record that is theirs and was matched. */
const ofCustomer = `
  join disputes d on d.merchant_id = r.merchant_id and d.dispute_id = r.dispute_id
  where r.merchant_id = $1 and (d.customer_id = $2 or d.match_state = 'matched' and exists (
    select from dispute_matches m
    join analytics a on a.merchant_id = m.merchant_id and a.analytics_id = m.analytics_id
    where m.merchant_id = d.merchant_id and m.dispute_id = d.dispute_id
      and a.subject_id = any ($3::text[])))`;

/** Locked, so that nobody writes to one of them between this and the erasure. */
const open = `d.status in ${openStatuses}`;
const lockRebuttals: Statement = {
  name: 'lock_dispute_rebuttals',
  text: `select d.dispute_id, ${open} as is_open from dispute_rebuttals r ${ofCustomer} for update of r`,
};
const lockFiles: Statement = {
  name: 'lock_dispute_attachments',
  text: `select d.dispute_id, ${open} as is_open from dispute_attachments r ${ofCustomer} for update of r`,
};

const erase: Statement = {
  name: 'erase_dispute_rebuttals',
  text: `
    delete from dispute_rebuttals where merchant_id = $1 and dispute_id in (
      select r.dispute_id from dispute_rebuttals r ${ofCustomer})
    returning dispute_id`,
};

const eraseFiles: Statement = {
  name: 'erase_dispute_attachments',
  text: `
    delete from dispute_attachments where merchant_id = $1 and dispute_id in (
      select r.dispute_id from dispute_attachments r ${ofCustomer})
    returning dispute_id`,
};

interface LockedRow {
  readonly dispute_id: string;
  readonly is_open: boolean | null;
}

/** Whose evidence; `subjectIds` are the persons of their analytics records. */
interface Customer {
  readonly merchantId: string;
  readonly customerId: string;
  readonly subjectIds: readonly string[];
}

/** How many open disputes of the customer somebody added evidence to: it is held until they end. */
export async function countHeldAdded(tx: Queryable, customer: Customer): Promise<number> {
  const { merchantId, customerId, subjectIds } = customer;
  const values = [merchantId, customerId, subjectIds];
  const rows = [
    ...(await tx.query<LockedRow>(lockRebuttals, values)),
    ...(await tx.query<LockedRow>(lockFiles, values)),
  ];
  // A fraud warning has no status.
  const held = rows.filter((row) => row.is_open === true).map((row) => row.dispute_id);
  return new Set(held).size;
}

/** Removes what persons added to a customer's disputes, with a line of the audit log. */
export async function eraseAdded(
  tx: Queryable,
  { merchantId, customerId, subjectIds, at }: Customer & { readonly at: Date },
): Promise<void> {
  const values = [merchantId, customerId, subjectIds];
  const rows = [
    ...(await tx.query<{ dispute_id: string }>(erase, values)),
    ...(await tx.query<{ dispute_id: string }>(eraseFiles, values)),
  ];
  if (rows.length === 0) return;
  const detail = { dispute_ids: [...new Set(rows.map((row) => row.dispute_id))].sort() };
  await appendAudit(tx, merchantId, { action: 'dispute.evidence_erased', detail, at }, 'merchant');
}
