import type { Queryable, Statement } from '../database.ts';
import { type CardRow, cardJson, type ReadCard, toCardHistory } from './card-history.ts';

/** A charge whose card is asked for. */
export interface CardQuestion {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly psp: string;
  readonly paymentMethodId: string;
  /** When the charge is, or was, made. */
  readonly at: Date;
}

/** Methods are looked up one by one, by key: joined, the planner would read the whole table. */
const read: Statement = {
  name: 'read_cards',
  plans: 'kept',
  text: `
    select ${cardJson({
      m: 'm',
      merchantId: 'i."merchantId"',
      psp: 'i.psp',
      paymentMethodId: 'i."paymentMethodId"',
      invoiceId: 'i."invoiceId"',
      at: 'i.at',
    })} as card
    from json_to_recordset($1::json) as i (
      n int, "merchantId" text, "invoiceId" text, psp text, "paymentMethodId" text, at timestamptz)
    left join lateral (
      select * from payment_methods pm
      where pm.merchant_id = i."merchantId" and pm.payment_method_id = i."paymentMethodId"
      limit 1
    ) m on true
    order by i.n`,
};

/** The card of each charge, in their order, with its version and history as of one moment. */
export async function readCards(
  db: Queryable,
  questions: readonly CardQuestion[],
): Promise<readonly ReadCard[]> {
  const input = questions.map(({ merchantId, invoiceId, psp, paymentMethodId, at }, n) => ({
    n,
    merchantId,
    invoiceId,
    psp,
    paymentMethodId,
    at,
  }));
  const rows = await db.query<{ card: CardRow }>(read, [JSON.stringify(input)]);
  return rows.map(({ card }) => toCardHistory(card));
}
