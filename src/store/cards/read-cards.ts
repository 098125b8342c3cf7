import type { CardHistory } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { type CardRow, cardJson, toCardHistory } from './card-history.ts';

/** A charge whose card is asked for. */
export interface CardQuestion {
  readonly merchantId: string;
  readonly invoiceId: string;
  readonly psp: string;
  readonly paymentMethodId: string;
  /** When the charge is, or was, made. */
  readonly at: Date;
}

export interface ReadCard extends CardHistory {
  /** What the card's row said when its history was read; 0 where it has none yet. */
  readonly version: number;
}

const read: Statement = {
  name: 'read_cards',
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
    left join payment_methods m
      on m.merchant_id = i."merchantId" and m.payment_method_id = i."paymentMethodId"
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
  return rows.map(({ card }) => ({ ...toCardHistory(card), version: card.version ?? 0 }));
}
