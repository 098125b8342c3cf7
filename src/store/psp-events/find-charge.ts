import { invariant } from '../../domain/errors.ts';
import type { FindCharge, NamedCharge } from '../../recovery/psp-event-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type OpenAttemptRow, openAttemptJson, toOpenAttempt } from '../engine/payment-context.ts';

/**
 * Of the rows of a key the one that may stand for a charge at the PSP; where each was found never made,
 * the last of them.
 */
const find: Statement = {
  name: 'find_charge_by_key',
  text: `
    with found as (
      (select l.* from psp_transactions l
       where l.merchant_id = $1 and l.idempotency_key = $2 and l.state <> 'not_made'
         and ($5::int is null or l.connection_version = $5))
      union all
      (select n.* from psp_transactions n
       where n.merchant_id = $1 and n.idempotency_key = $2 and n.state = 'not_made'
         and ($5::int is null or n.connection_version = $5)
       order by n.sent_at desc, n.attempt_id desc, n.ordinal desc limit 1)
    )
    select t.invoice_id, t.ordinal, ${openAttemptJson('a')} as attempt,
           coalesce(p.lease_until > $4, false) as held
    from (select * from found order by (state = 'not_made') limit 1) t
    join all_attempts a on a.merchant_id = t.merchant_id and a.attempt_id = t.attempt_id
    join payments p on p.merchant_id = t.merchant_id and p.invoice_id = t.invoice_id
    where $3::text is null or t.psp = $3`,
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
  const { merchantId, idempotencyKey, psp, now, connectionVersion } = input;
  const [row] = await db.query<ChargeRow>(find, [
    merchantId,
    idempotencyKey,
    psp,
    now,
    connectionVersion,
  ]);
  if (row === undefined) return undefined;
  const attempt = toOpenAttempt(row.attempt);
  const transaction = attempt.transactions.find((item) => item.ordinal === row.ordinal);
  invariant(transaction !== undefined, 'a charge is among those of its attempt');
  return { merchantId, invoiceId: row.invoice_id, attempt, transaction, isHeld: row.held };
}
