import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { InvoiceOf } from '../../recovery/api.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';

/** Not one that a worker has: the fence takes it from one whose lease has ended. */
const put: Statement = {
  name: 'set_aside_payment',
  text: `
    update payments
    set set_aside_at = $3, set_aside_reason = $4, next_attempt_at = null, lease_until = null,
        fence = fence + 1, revision = revision + 1
    where merchant_id = $1 and invoice_id = $2 and state = 'scheduled' and frozen_at is null
      and next_attempt_at is not null and (lease_until is null or lease_until <= $3)
    returning 1`,
};

const standing: Statement = {
  name: 'read_set_aside_standing',
  text: `
    select state, frozen_at is not null as is_frozen, set_aside_at is not null as is_set_aside
    from payments where merchant_id = $1 and invoice_id = $2`,
};

interface Standing {
  readonly state: string;
  readonly is_frozen: boolean;
  readonly is_set_aside: boolean;
}

export type SetAsideOutcome =
  | { readonly kind: 'set_aside' }
  | { readonly kind: 'refused'; readonly because: string };

/**
 * Takes a scheduled payment out of what is due, until `retrySetAside` puts it back. One that is set aside
 * already stays so, and is told as done.
 */
export function setAsidePayment(
  db: Database,
  input: InvoiceOf & { readonly at: Date; readonly reason: string; readonly audit: AuditEntry },
): Promise<SetAsideOutcome> {
  const { merchantId, invoiceId, at, reason, audit } = input;
  return db.transaction(async (tx) => {
    const taken = await tx.query(put, [merchantId, invoiceId, at, reason]);
    if (taken.length === 0) return whyNot(tx, input);
    await appendAudit(tx, merchantId, audit);
    return { kind: 'set_aside' };
  });
}

async function whyNot(
  tx: Queryable,
  { merchantId, invoiceId }: InvoiceOf,
): Promise<SetAsideOutcome> {
  const [row] = await tx.query<Standing>(standing, [merchantId, invoiceId]);
  if (row?.is_set_aside) return { kind: 'set_aside' };
  return { kind: 'refused', because: reasonOf(row) };
}

function reasonOf(row: Standing | undefined): string {
  if (row === undefined) return 'There is no such payment.';
  if (row.is_frozen) return 'This invoice has an open incident; resolve it first.';
  if (row.state === 'scheduled' || row.state === 'attempting') return 'An attempt is in progress.';
  return `The payment is already ${row.state}.`;
}
