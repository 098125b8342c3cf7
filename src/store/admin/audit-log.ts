import type { ActionLog, AuditEntry } from '../../recovery/admin/ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { whoActs } from './acting.ts';

const append: Statement = {
  name: 'append_audit_log',
  text: `
    insert into audit_log (merchant_id, actor, address, action, detail, old_value, new_value, at)
    values ($1, $2, $3, $4, $5::jsonb, $6::jsonb, $7::jsonb, $8)`,
};

/**
 * One line of what was done, in the transaction that did it, and last in it: the merchant's other
 * writers wait for its commit. Whoever acts in a request stands in it; `actor` is who does it where
 * there is none.
 */
export async function appendAudit(
  tx: Queryable,
  merchantId: string,
  entry: AuditEntry,
  actor = 'service',
): Promise<void> {
  const who = whoActs();
  const { action, detail, before, after, at } = entry;
  const [details, old, next] = [detail, before, after].map(
    (value) => value && JSON.stringify(value),
  );
  const values = [merchantId, who?.actor ?? actor, who?.address, action, details, old, next, at];
  await tx.query(append, values);
}

export function createActionLog(db: Database): ActionLog {
  return {
    noteAction: ({ merchantId, audit }) => appendAudit(db, merchantId, audit),
  };
}
