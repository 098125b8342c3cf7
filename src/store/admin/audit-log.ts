import type { ActionLog, AuditEntry } from '../../recovery/admin/ports.ts';
import type { Database, Queryable, Statement } from '../database.ts';

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

/** Takes a line back whose action was not done. */
class NotDone extends Error {}

/**
 * A line of an action that another system does, such as the queue: written before it, and taken back
 * where `work` throws or answers false.
 */
async function auditWith(
  db: Database,
  input: {
    readonly merchantId: string;
    readonly audit: AuditEntry;
    work(): Promise<boolean>;
  },
): Promise<void> {
  try {
    await db.transaction(async (tx) => {
      await appendAudit(tx, input.merchantId, input.audit);
      if (!(await input.work())) throw new NotDone();
    });
  } catch (error) {
    if (!(error instanceof NotDone)) throw error;
  }
}

export function createActionLog(db: Database): ActionLog {
  return {
    noteAction: ({ merchantId, audit }) => appendAudit(db, merchantId, audit),
    noteWith: (input) => auditWith(db, input),
  };
}
