import { invariant } from '../../domain/errors.ts';
import type { FindCharge, NamedCharge } from '../../recovery/psp-event-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type OpenAttemptRow, openAttemptJson, toOpenAttempt } from '../engine/payment-context.ts';

const find: Statement = {
  name: 'find_charge_by_key',
  text: `
    select t.invoice_id, t.ordinal, ${openAttemptJson('a')} as attempt,
           coalesce(p.lease_until > $4, false) as held
    from psp_transactions t
    join attempts a on a.merchant_id = t.merchant_id and a.attempt_id = t.attempt_id
    join payments p on p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
    where t.merchant_id = $1 and t.idempotency_key = $2
      and ($3::text is null or t.psp = $3)`,
};

interface ChargeRow {
  readonly invoice_id: string;
  readonly ordinal: number;
  readonly attempt: OpenAttemptRow;
  readonly held: boolean;
}

/** A charge by the key that it was sent with, in whatever state. */
export async function findCharge(
  db: Queryable,
  input: FindCharge,
): Promise<NamedCharge | undefined> {
  const { merchantId, idempotencyKey, psp, now } = input;
  const [row] = await db.query<ChargeRow>(find, [merchantId, idempotencyKey, psp, now]);
  if (row === undefined) return undefined;
  const attempt = toOpenAttempt(row.attempt);
  const transaction = attempt.transactions.find((item) => item.ordinal === row.ordinal);
  invariant(transaction !== undefined, 'a charge is among those of its attempt');
  return { merchantId, invoiceId: row.invoice_id, attempt, transaction, isHeld: row.held };
}
