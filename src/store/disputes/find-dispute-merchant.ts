import type { Queryable, Statement } from '../database.ts';

/** Ids of disputes are 120 random bits, so that one names a merchant too. */
const find: Statement = {
  name: 'find_dispute_merchant',
  text: 'select merchant_id from disputes where dispute_id = $1 limit 1',
};

/** Whose dispute it is; for the operator, who names it by its id alone. */
export async function findDisputeMerchant(
  db: Queryable,
  disputeId: string,
): Promise<string | undefined> {
  const [row] = await db.query<{ merchant_id: string }>(find, [disputeId]);
  return row?.merchant_id;
}
