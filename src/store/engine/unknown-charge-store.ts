import { invariant } from '../../domain/errors.ts';
import type { DueItems } from '../../domain/held-back.ts';
import type { Psp } from '../../domain/psps.ts';
import type { ClaimInput, UnknownCharge, UnknownChargeStore } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type OpenAttemptRow, openAttemptJson, toOpenAttempt } from './payment-context.ts';
import { isAllDue, pickDue, shareColumn } from './pick-due.ts';

const claim: Statement = {
  name: 'claim_unknown_charges',
  plans: 'kept',
  text: `
    with ${pickDue({
      table: 'psp_transactions',
      key: 'w.attempt_id, w.ordinal',
      order: 'w.next_attempt_at',
    })},
    claimed as (
      update psp_transactions t
      set lease_until = $2, fence = t.fence + 1
      from picked
      where t.merchant_id = picked.merchant_id and t.attempt_id = picked.attempt_id
        and t.ordinal = picked.ordinal
      returning t.*
    )
    select c.merchant_id, c.invoice_id, c.psp, c.fence, c.next_attempt_at, c.look_ups,
           c.ordinal,
           ${openAttemptJson('a')} as attempt, ${shareColumn}
    from claimed c join attempts a using (merchant_id, attempt_id)`,
};

interface UnknownChargeRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly psp: Psp;
  readonly fence: number;
  readonly next_attempt_at: Date;
  readonly look_ups: number;
  readonly ordinal: number;
  readonly attempt: OpenAttemptRow;
  readonly share: number;
}

/**
 * A look-up that gave no answer: counted, and asked again later or left to a person. That it is unknown is
 * told by the states that it is not in, for the reason given at begin_charges.
 */
const postpone: Statement = {
  name: 'postpone_unknown_charge',
  plans: 'kept',
  text: `
    update psp_transactions
    set look_ups = look_ups + 1, next_attempt_at = $5, lease_until = null, reason = $6, failures = 0
    where merchant_id = $1 and attempt_id = $2 and ordinal = $3 and fence = $4
      and state not in ('sending', 'succeeded', 'declined', 'not_made')`,
};

export function createUnknownChargeStore(db: Queryable): UnknownChargeStore {
  return {
    claimDue: (input) => claimUnknownCharges(db, input),
    async postpone(input) {
      await db.query(postpone, [
        input.merchantId,
        input.attemptId,
        input.ordinal,
        input.fence,
        input.nextAt ?? null,
        input.reason,
      ]);
    },
  };
}

async function claimUnknownCharges(
  db: Queryable,
  input: ClaimInput,
): Promise<DueItems<UnknownCharge>> {
  const rows = await db.query<UnknownChargeRow>(claim, [
    input.now,
    input.leaseUntil,
    input.busy,
    input.perMerchant,
    input.limit,
  ]);
  const items = rows.map((row) => {
    const attempt = toOpenAttempt(row.attempt);
    const transaction = attempt.transactions.find((item) => item.ordinal === row.ordinal);
    invariant(transaction !== undefined, 'a claimed charge is among those of its attempt');
    return {
      merchantId: row.merchant_id,
      invoiceId: row.invoice_id,
      psp: row.psp,
      fence: row.fence,
      dueAt: row.next_attempt_at,
      lookUps: row.look_ups,
      attempt,
      transaction,
    };
  });
  return { items, isAll: isAllDue(rows, input.limit) };
}
