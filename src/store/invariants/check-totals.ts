import { isArchivedDay, webhookKinds } from '../archive/archived-through.ts';
import { addToTotals } from '../control-totals/add-to-totals.ts';
import { foldInto } from '../control-totals/fold-entries.ts';
import { type ControlKey, judgeTotals } from '../control-totals/judge-totals.ts';
import type { Queryable, Statement } from '../database.ts';

const nextMerchants: Statement = {
  name: 'next_merchants_of_totals',
  text: `
    select merchant_id from (
      select merchant_id from merchants where merchant_id > $1 order by merchant_id limit $2
    ) m order by merchant_id desc limit 1`,
};

/**
 * Totals of days that are over beside what was counted anew. Where a key differs, the difference is
 * added, as known today, so that the totals are those of the count. Of events on their way only the
 * sum is held against the count: they may have been delivered since. Nor are webhooks held against it on days
 * of which some may be in the archive.
 */
const compare: Statement = {
  name: 'compare_control_totals',
  text: `
    with kept as (
      select merchant_id, day, psp, connection_version, currency, kind, sum(items) as items,
             sum(amount_minor) as amount_minor
      from control_totals
      where merchant_id > $1 and ($2::text is null or merchant_id <= $2) and day < $3::date
        and kind not in ('refunded', 'incidents')
        and not (kind in ${webhookKinds} and ${isArchivedDay('control_totals.merchant_id', 'day')})
      group by 1, 2, 3, 4, 5, 6
    ),
    counted as (
      select * from control_recounts
      where merchant_id > $1 and ($2::text is null or merchant_id <= $2)
        and not (kind in ${webhookKinds} and ${isArchivedDay('control_recounts.merchant_id', 'day')})
    ),
    differing as materialized (
      select merchant_id, day, psp, connection_version, currency, kind,
             coalesce(c.items, 0) - coalesce(k.items, 0) as items,
             coalesce(c.amount_minor, 0) - coalesce(k.amount_minor, 0) as amount_minor,
             kind in ('delivered', 'pending', 'exhausted') as moves
      from kept k
      full join counted c using (merchant_id, day, psp, connection_version, currency, kind)
      where (k.items, k.amount_minor) is distinct from (c.items, c.amount_minor)
    ),
    wrong as materialized (
      select d.* from differing d
      where (d.items <> 0 or d.amount_minor <> 0) and (not d.moves or (
        select sum(o.items) from differing o
        where o.moves and o.merchant_id = d.merchant_id and o.day = d.day) <> 0)
    ),
    ${addToTotals('wrong')}
    select distinct merchant_id, day::text, psp, connection_version, currency from wrong`,
};

interface TotalsPage {
  readonly breaches: number;
  readonly last: readonly [string, string] | undefined;
}

/** Holds the totals of some merchants against the new count, and mends what differs. */
export async function checkTotals(
  tx: Queryable,
  input: {
    readonly after: string;
    readonly limit: number;
    readonly closedBefore: string;
    readonly at: Date;
  },
): Promise<TotalsPage> {
  const { after, limit, closedBefore, at } = input;
  await foldInto(tx, { at });
  const [next] = await tx.query<{ merchant_id: string }>(nextMerchants, [after, limit]);
  const upTo = next?.merchant_id;
  const values = [after, upTo ?? null, closedBefore];
  const keys = await tx.query<ControlKey>(compare, values);
  await judgeTotals(tx, { keys, at });
  return { breaches: keys.length, last: upTo === undefined ? undefined : [upTo, ''] };
}
