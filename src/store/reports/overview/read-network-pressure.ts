import type { OfMerchants } from '../../../domain/access/of-merchants.ts';
import { present } from '../../../domain/present.ts';
import type { NetworkPressure } from '../../../recovery/reports/overview.ts';
import type { Queryable, Statement } from '../../database.ts';
import { unlessLeft } from '../../moving/unless-moved.ts';
import { readAsOf } from './read-progress.ts';

const pressure: Statement = {
  name: 'overview_network_pressure',
  text: `
    select network, sum(near)::bigint as near, sum(spent)::bigint as spent
    from card_limit_rollups r
    where ($1::text[] is null or merchant_id = any($1)) ${unlessLeft('r')}
    group by 1 order by 3 desc, 2 desc, 1`,
};

/** Cards near a network's limit, as they were counted last. Before the first count there are none. */
export async function readNetworkPressure(
  db: Queryable,
  { merchantIds }: OfMerchants,
): Promise<NetworkPressure> {
  const asOf = await readAsOf(db, 'card_limits');
  const networks = await db.query<NetworkPressure['networks'][number]>(pressure, [merchantIds]);
  return { networks, ...present({ asOf }) };
}
