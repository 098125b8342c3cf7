import type { OfMerchants } from '../../domain/access/of-merchants.ts';
import type { Queryable, Statement } from '../database.ts';

/** Few rows, and none of this state but for the day between a move and the removal of its copies. */
const left: Statement = {
  name: 'list_left_merchants',
  text: `select merchant_id from merchant_moves where state = 'moved'`,
};

const others: Statement = {
  name: 'list_merchants_but_left',
  text: 'select merchant_id from merchants where merchant_id <> all ($1::text[])',
};

interface Row {
  readonly merchant_id: string;
}

/**
 * Whose sums and lists are this cell's: what is here of a merchant that has moved are copies, which the other cell counts.
 * By the ids of merchants, so that statements read what they are asked for as ever, and as before while nobody has moved.
 */
export async function merchantsHere(db: Queryable, asked: OfMerchants): Promise<OfMerchants> {
  const away = (await db.query<Row>(left, [])).map(idOf);
  if (away.length === 0) return asked;
  const { merchantIds } = asked;
  const here =
    merchantIds === undefined
      ? (await db.query<Row>(others, [away])).map(idOf)
      : merchantIds.filter((id) => !away.includes(id));
  return { merchantIds: here };
}

function idOf(row: Row): string {
  return row.merchant_id;
}
