import type { JsonObject } from '../../domain/payment.ts';
import type { Queryable, Statement } from '../database.ts';

interface DebtPlace {
  readonly merchantId: string;
  readonly invoiceId: string;
}

/**
 * The invoice's payment, and that which goes on where this one was joined to it: money that was taken for either
 * was taken for the debt.
 */
const ofDebt = `p.merchant_id = $1 and (p.invoice_id = $2 or p.invoice_id = (
      select j.joined_to from payments j where j.merchant_id = $1 and j.invoice_id = $2))`;

const lock: Statement = {
  name: 'lock_debt_of_incident',
  text: `select 1 from payments p where ${ofDebt} order by p.invoice_id for update`,
};

/**
 * Payments are locked before all else, as wherever they are moved. Their holder keeps the fence: the
 * answer that it waits for is recorded; what it would charge next finds the payment frozen.
 */
const freeze: Statement = {
  name: 'freeze_debt',
  text: `
    update payments p
    set frozen_at = coalesce(p.frozen_at, $3), next_attempt_at = null, lease_until = null,
        revision = p.revision + 1, updated_at = $3
    where ${ofDebt}
    returning p.invoice_id = $2 as is_own, p.custom,
      (select m.incident_events from merchants m where m.merchant_id = $1) as is_told`,
};

/**
 * A payment without an unresolved incident, of its own or of one that was joined to it, goes on: planned anew, or its
 * open attempt taken up again. Where a lost answer is still looked up, that goes on by itself and ends the attempt.
 */
const unfreeze: Statement = {
  name: 'unfreeze_debt',
  text: `
    update payments p
    set frozen_at = null, revision = p.revision + 1, updated_at = $3,
        due_action = case when p.state = 'scheduled' then 'plan' else p.due_action end,
        next_attempt_at = case
          when p.set_aside_at is not null then null
          when p.state = 'scheduled' then $3::timestamptz
          when p.state = 'attempting' and not exists (
            select from psp_transactions t
            where t.merchant_id = p.merchant_id and t.invoice_id = p.invoice_id
              and t.state = 'unknown')
            then $3::timestamptz
        end
    where ${ofDebt} and p.frozen_at is not null
      and not exists (
        select from incidents i
        where i.merchant_id = p.merchant_id and i.state in ('open', 'refunding')
          and (i.invoice_id = p.invoice_id or i.invoice_id in (
            select j.invoice_id from payments j
            where j.merchant_id = p.merchant_id and j.joined_to = p.invoice_id)))`,
};

/** In the order of their ids, as payments are held everywhere. */
export async function lockDebt(tx: Queryable, { merchantId, invoiceId }: DebtPlace): Promise<void> {
  await tx.query(lock, [merchantId, invoiceId]);
}

/** What the event of the incident says of the invoice's payment; undefined where there is none. */
export async function freezeDebt(
  tx: Queryable,
  { merchantId, invoiceId, at }: DebtPlace & { readonly at: Date },
): Promise<{ readonly custom: JsonObject | null; readonly isTold: boolean } | undefined> {
  await lockDebt(tx, { merchantId, invoiceId });
  const frozen = await tx.query<{
    readonly is_own: boolean;
    readonly custom: JsonObject | null;
    readonly is_told: boolean;
  }>(freeze, [merchantId, invoiceId, at]);
  const own = frozen.find((payment) => payment.is_own);
  return own && { custom: own.custom, isTold: own.is_told };
}

export async function unfreezeDebt(
  tx: Queryable,
  { merchantId, invoiceId, at }: DebtPlace & { readonly at: Date },
): Promise<void> {
  await tx.query(unfreeze, [merchantId, invoiceId, at]);
}
