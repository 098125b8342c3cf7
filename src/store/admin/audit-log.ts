import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** There is one operator token, so the log knows one operator. */
const operator = 'operator';

const append: Statement = {
  name: 'append_audit_log',
  text: `
    insert into audit_log (merchant_id, actor, action, detail, at)
    values ($1, $2, $3, $4::jsonb, $5)`,
};

/** One line of what an operator or another actor did, in the transaction that did it. */
export async function appendAudit(
  tx: Queryable,
  merchantId: string,
  entry: AuditEntry,
  actor: string = operator,
): Promise<void> {
  await tx.query(append, [merchantId, actor, entry.action, JSON.stringify(entry.detail), entry.at]);
}
