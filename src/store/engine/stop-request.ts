import type { StopRequest } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';

/**
 * The row lock orders this against a charge that is being begun: either that one is committed, and
 * seen here as in flight, or it finds the stop and is not begun. A stop that is there stays, and a look
 * that comes after it writes nothing.
 */
const request: Statement = {
  name: 'request_stop',
  text: `
    update payments p
    set stop_reason = $3, stop_detail = $4, revision = p.revision + 1, updated_at = $5
    where p.merchant_id = $1 and p.invoice_id = $2 and p.state = 'attempting'
      and p.stop_reason is null`,
};

// A statement of its own: a fresh snapshot sees what the lock was waited for. The payment is read with
// it: where the attempt has ended since, or has only now begun, nothing was stopped.
const inFlight: Statement = {
  name: 'charge_in_flight',
  text: `select exists (
           select 1 from psp_transactions t
           where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
             and t.state in ('sending', 'unknown')
         ) as in_flight
         from payments p
         where p.merchant_id = $1 and p.invoice_id = $2 and p.state = 'attempting'
           and p.stop_reason is not null`,
};

export async function requestStop(
  db: Queryable,
  input: StopRequest,
): Promise<{ readonly chargeInFlight: boolean } | undefined> {
  const { merchantId, invoiceId, reason, detail, at } = input;
  await db.query(request, [merchantId, invoiceId, reason, detail ?? null, at]);
  const [row] = await db.query<{ in_flight: boolean }>(inFlight, [merchantId, invoiceId]);
  return row === undefined ? undefined : { chargeInFlight: row.in_flight };
}
