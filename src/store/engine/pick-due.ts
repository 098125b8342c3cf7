import type { JobTable } from '../job-tables.ts';

/** SQL of a row's due time as the indexes by due time alone have it, over all merchants. */
export function dueAt(alias: string): string {
  return `coalesce(${alias}.next_attempt_at, 'infinity')`;
}

/** SQL of the rows that these indexes hold, due by an instant: it says so in the indexes' own words. */
export function isDueBy(alias: string, instant: string): string {
  return `${dueAt(alias)} < 'infinity' and ${dueAt(alias)} <= ${instant}`;
}

/** Rows due the longest that tell which merchants have due work, as long as they are all that is due. */
const fewRows = 1_000;

/**
 * The opening parts of every claim: `due`, the merchants that have due work, `share`, the most rows that
 * each of them is given, and `picked`, the keys of the rows taken, locked. Each merchant gets its share, whatever the others' backlog is; the
 * merchants' order changes from claim to claim, so that none is always last.
 *
 * Mostly little is due, and its rows, `early`, name their merchants. Only where they are not all that is
 * due is each merchant asked for.
 *
 * Parameters: $1 now, $2 the lease's end, $3 merchants to leave out, $4 rows per merchant, $5 rows
 * in all. Rows that another process is claiming are passed over, not waited for.
 *
 * `offset 0` keeps it a look-up for each merchant: as a join it would read every row of a small table.
 */
export function pickDue(of: {
  readonly table: JobTable;
  /** The columns that identify a row within its merchant, and what else is wanted of it. */
  readonly key: string;
  readonly order: string;
}): string {
  return `early as (
      select w.merchant_id from ${of.table} w
      where ${isDueBy('w', '$1')}
      order by ${dueAt('w')} limit ${fewRows}
    ),
    due as (
      select d.merchant_id from (
        select e.merchant_id from early e
        where (select count(*) from early) < ${fewRows} and e.merchant_id <> all ($3::text[])
        group by e.merchant_id
        union all
        select m.merchant_id from merchants m
        where (select count(*) from early) = ${fewRows} and m.merchant_id <> all ($3::text[])
          and exists (select 1 from ${of.table} w
                      where w.merchant_id = m.merchant_id and w.next_attempt_at <= $1
                      offset 0)
      ) d
      order by hashtext(d.merchant_id || $1::timestamptz::text)
    ),
    share as (
      select greatest(1, least($4::bigint, $5::bigint / nullif(count(*), 0)))::int as n from due
    ),
    picked as (
      select taken.* from due cross join lateral (
        select w.merchant_id, ${of.key} from ${of.table} w
        where w.merchant_id = due.merchant_id and w.next_attempt_at <= $1
          and (w.lease_until is null or w.lease_until <= $1)
        order by ${of.order}
        limit (select n from share)
        for update skip locked
      ) taken
      limit $5
    )`;
}

/** To be returned with each row of a claim: the most rows that its merchant was given. */
export const shareColumn = '(select n from share) as share';

/** Whether rows of a claim, with their share, are all that was due: nothing cut it off. */
export function isAllDue(
  rows: readonly { readonly merchant_id: string; readonly share: number }[],
  limit: number,
): boolean {
  if (rows.length >= limit) return false;
  const taken = new Map<string, number>();
  for (const { merchant_id: merchantId, share } of rows) {
    const count = (taken.get(merchantId) ?? 0) + 1;
    if (count >= share) return false;
    taken.set(merchantId, count);
  }
  return true;
}
