import type { PaymentStore } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/** The fence says whose lease it is; a payment that nobody holds any more has none to renew. */
const renew: Statement = {
  name: 'renew_lease',
  plans: 'kept',
  text: `
    update payments set lease_until = $4
    where merchant_id = $1 and invoice_id = $2 and fence = $3 and lease_until is not null
    returning 1`,
};

export async function renewLease(
  db: Queryable,
  input: Parameters<PaymentStore['renewLease']>[0],
): Promise<boolean> {
  const { merchantId, invoiceId, fence, leaseUntil } = input;
  const rows = await db.query(renew, [merchantId, invoiceId, fence, leaseUntil]);
  return rows.length > 0;
}
