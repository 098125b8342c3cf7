import { present } from '../../domain/present.ts';
import type { Psp } from '../../domain/psps.ts';
import type { Page } from '../../recovery/api.ts';
import type {
  ListUnknownCharges,
  UnknownChargeView,
} from '../../recovery/reports/operator-views.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
import { pageOf, placeOf } from '../page-cursor.ts';

/** From the index of charges in flight, which holds few rows whatever the history. */
const list: Statement = {
  name: 'list_operator_unknown_charges',
  text: `
    select t.merchant_id, t.invoice_id, t.attempt_id, t.ordinal, t.psp, t.idempotency_key,
           t.payment_method_id, p.psp_customer_id, t.amount_minor, t.currency, t.sent_at,
           t.look_ups, t.reason, t.next_attempt_at
    from psp_transactions t join payments p using (merchant_id, invoice_id)
    where t.state = 'unknown' and ($1::text[] is null or t.merchant_id = any($1)) ${unlessLeft('t')}
      and ($2::timestamptz is null or (t.sent_at, t.merchant_id, t.invoice_id) > ($2, $3, $4))
    order by t.sent_at, t.merchant_id, t.invoice_id
    limit $5`,
};

interface UnknownChargeRow {
  readonly merchant_id: string;
  readonly invoice_id: string;
  readonly attempt_id: string;
  readonly psp: Psp;
  readonly idempotency_key: string;
  readonly payment_method_id: string;
  readonly psp_customer_id: string | null;
  readonly amount_minor: number;
  readonly currency: string;
  readonly sent_at: Date;
  readonly look_ups: number;
  readonly reason: string | null;
  readonly next_attempt_at: Date | null;
}

/** The longest unknown first. @throws AppError invalid_request for a cursor of another list */
export async function readUnknownCharges(
  db: Queryable,
  input: ListUnknownCharges,
): Promise<Page<UnknownChargeView>> {
  const values = [input.merchantIds, ...placeOf(input.cursor, 2), input.limit + 1];
  const rows = await db.query<UnknownChargeRow>(list, values);
  return pageOf(rows, input.limit, {
    item: toView,
    keys: (row) => [row.sent_at.toISOString(), row.merchant_id, row.invoice_id],
  });
}

function toView(row: UnknownChargeRow): UnknownChargeView {
  return present({
    merchantId: row.merchant_id,
    invoiceId: row.invoice_id,
    attemptId: row.attempt_id,
    psp: row.psp,
    idempotencyKey: row.idempotency_key,
    paymentMethodId: row.payment_method_id,
    amountMinor: row.amount_minor,
    currency: row.currency,
    sentAt: row.sent_at,
    lookUps: row.look_ups,
    pspCustomerId: row.psp_customer_id ?? undefined,
    reason: row.reason ?? undefined,
    nextLookUpAt: row.next_attempt_at ?? undefined,
  });
}
