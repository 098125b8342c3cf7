import type { JobTable } from '../job-tables.ts';

/** Whose rows a table's are, beside merchants', and which owners have work done now. */
const owners: Readonly<
  Partial<
    Record<
      JobTable,
      { readonly table: string; readonly key: readonly string[]; readonly where?: string }
    >
  >
> = {
  deliveries: { table: 'merchants', key: [], where: 'm.webhook_paused_at is null' },
  endpoint_deliveries: { table: 'endpoints', key: ['endpoint_id'], where: 'm.paused_at is null' },
};

/**
 * The opening parts of every claim: `due`, the merchants that have due work, `share`, the most rows that
 * each of them is given, and `picked`, the keys of the rows taken, locked. Each merchant gets its share, whatever the others' backlog is; the
 * merchants' order changes from claim to claim, so that none is always last.
 *
 * Parameters: $1 now, $2 the lease's end, $3 merchants to leave out, $4 rows per merchant, $5 rows
 * in all. Rows that another process is claiming are passed over, not waited for.
 *
 * `offset 0` keeps it a look-up for each merchant: as a join it would read every row of a small table.
 *
 * What goes to endpoints is looked for by them: those that are paused are passed over whole, however much
 * is kept for them.
 */
export function pickDue(of: {
  readonly table: JobTable;
  /** The columns that identify a row within its merchant, and what else is wanted of it. */
  readonly key: string;
  readonly order: string;
}): string {
  const owner = owners[of.table] ?? { table: 'merchants', key: [] };
  const both = (with_: string) =>
    owner.key.map((name) => `and w.${name} = ${with_}.${name} `).join('');
  const keys = (alias: string) => owner.key.map((name) => `, ${alias}.${name}`).join('');
  return `due as (
      select m.merchant_id${keys('m')} from ${owner.table} m
      where m.merchant_id <> all ($3::text[])${owner.where === undefined ? '' : ` and ${owner.where}`}
        and exists (select 1 from ${of.table} w
                    where w.merchant_id = m.merchant_id ${both('m')}and w.next_attempt_at <= $1
                    offset 0)
      order by hashtext(m.merchant_id || $1::timestamptz::text)
    ),
    share as (
      select greatest(1, least($4::bigint, $5::bigint / nullif(count(*), 0)))::int as n from due
    ),
    picked as (
      select taken.* from due cross join lateral (
        select w.merchant_id${keys('w')}, ${of.key} from ${of.table} w
        where w.merchant_id = due.merchant_id ${both('due')}and w.next_attempt_at <= $1
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
