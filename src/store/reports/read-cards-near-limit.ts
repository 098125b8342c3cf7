import type { Page } from '../../recovery/api.ts';
import type { CardNearLimit, ListCardsNearLimit } from '../../recovery/reports/operator-views.ts';
import {
  busyCardsSince,
  cardsNearLimit,
  chargesNear,
  limitsJson,
} from '../cards/cards-near-limit.ts';
import type { Queryable, Statement } from '../database.ts';
import { unlessLeft } from '../moving/unless-moved.ts';
import { cursorRefused, decodeCursor, pageOf } from '../page-cursor.ts';

/** The fewest left first. What the last charges tell is read for the cards of the page alone. */
const near: Statement = {
  name: 'list_cards_near_limit',
  text: `
    with ${busyCardsSince},
    ${cardsNearLimit},
    page as materialized (
      select *, most - tries as left_over
      from near
      where ($4::int is null
             or (most - tries, merchant_id, card_key, acceptor, counter) > ($4, $5, $6, $7, $8))
        ${unlessLeft('near')}
      order by most - tries, merchant_id, card_key, acceptor, counter
      limit $9
    )
    select n.*, told.*
    from page n
    cross join lateral (
      select min(a.at) as first_at, max(a.at) as last_at,
             (array_agg(a.payment_method_id order by a.at desc))[1] as payment_method_id,
             (array_agg(a.invoice_id order by a.at desc))[1] as invoice_id
      from ${chargesNear}
    ) told
    order by n.left_over, n.merchant_id, n.card_key, n.acceptor, n.counter`,
};

interface NearRow {
  readonly merchant_id: string;
  readonly card_key: string;
  readonly acceptor: string;
  readonly network: string;
  readonly counter: string;
  readonly tries: number;
  readonly most: number;
  readonly left_over: number;
  readonly first_at: Date;
  readonly last_at: Date;
  readonly payment_method_id: string;
  readonly invoice_id: string;
}

/**
 * Cards that have used half of what a network allows in 30 days, those with the least left first. A
 * cursor keeps the time of the first page, so that the window stays where it was. A charge that is reported
 * long after it was made is seen at the next count (`countCardLimits`).
 *
 * @throws AppError invalid_request for a cursor of another list
 */
export async function readCardsNearLimit(
  db: Queryable,
  input: ListCardsNearLimit,
): Promise<Page<CardNearLimit>> {
  const after = decodeCursor(input.cursor, 5);
  const at = after?.[0] ?? input.at;
  const [leftOver, ...keys] = (after?.slice(1) as readonly string[] | undefined) ?? [];
  if (leftOver !== undefined && !/^-?\d{1,9}$/.test(leftOver)) throw cursorRefused();
  const place = after === undefined ? [null, null, null, null, null] : [leftOver, ...keys];
  const values = [input.merchantIds, at, limitsJson(at), ...place, input.limit + 1];
  const rows = await db.query<NearRow>(near, values);
  return pageOf(rows, input.limit, {
    item: toCard,
    keys: (row) => [
      at.toISOString(),
      row.left_over.toString(),
      row.merchant_id,
      row.card_key,
      row.acceptor,
      row.counter,
    ],
  });
}

function toCard(row: NearRow): CardNearLimit {
  return {
    merchantId: row.merchant_id,
    card: row.card_key,
    acceptor: row.acceptor,
    network: row.network,
    ...(row.counter !== '' && { counter: row.counter }),
    tries: row.tries,
    most: row.most,
    firstAt: row.first_at,
    lastAt: row.last_at,
    paymentMethodId: row.payment_method_id,
    invoiceId: row.invoice_id,
  };
}
