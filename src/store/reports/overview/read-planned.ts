import type { OfMerchants } from '../../../domain/access/of-merchants.ts';
import { addMs, dayMs, hourMs } from '../../../domain/clock.ts';
import type { DeclineCategory } from '../../../domain/declines/decline.ts';
import type { PlannedHour } from '../../../recovery/reports/overview.ts';
import type { Queryable, Statement } from '../../database.ts';

const planned: Statement = {
  name: 'overview_planned',
  text: `
    select hour as at, category, sum(attempts)::bigint as attempts
    from planned_rollups
    where ($1::text[] is null or merchant_id = any($1))
      and hour >= $2 and hour < $3
    group by 1, 2 having sum(attempts) > 0
    order by 1, 2`,
};

/** Attempts that are planned for this hour and the 23 after it, by hour and decline class. */
export async function readPlanned(
  db: Queryable,
  input: OfMerchants & { readonly now: Date },
): Promise<readonly PlannedHour[]> {
  const { merchantIds, now } = input;
  const begin = new Date(Math.floor(now.getTime() / hourMs) * hourMs);
  return db.query<{ at: Date; category: DeclineCategory; attempts: number }>(planned, [
    merchantIds,
    begin,
    addMs(begin, dayMs),
  ]);
}
