import type { NewEvent } from '../../recovery/engine-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { writeEvents } from '../engine/write-events.ts';

const asked: Statement = {
  name: 'merchants_told_of_customers',
  text: `
    select m.merchant_id from merchants m
    where m.merchant_id = any($1) and m.customer_action_events
    order by m.merchant_id`,
};

/**
 * Events of several merchants, one after another in the order of their ids, as the database sorts them for the
 * engine's batches: two transactions that number events of the same ones do not wait for each other in a circle.
 * None is written for a merchant that has switched them off since.
 */
export async function writeNoticeEvents(
  tx: Queryable,
  input: {
    readonly events: readonly { readonly merchantId: string; readonly event: NewEvent }[];
    readonly at: Date;
  },
): Promise<void> {
  const byMerchant = Map.groupBy(input.events, ({ merchantId }) => merchantId);
  if (byMerchant.size === 0) return;
  const told = await tx.query<{ merchant_id: string }>(asked, [[...byMerchant.keys()]]);
  for (const { merchant_id: merchantId } of told) {
    const events = (byMerchant.get(merchantId) ?? []).map(({ event }) => event);
    await writeEvents(tx, { merchantId, events, at: input.at });
  }
}
