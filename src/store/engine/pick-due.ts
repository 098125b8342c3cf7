import type { JobTable } from '../job-tables.ts';
import { unlessMoved } from '../moving/unless-moved.ts';

/** SQL of a row's due time as the indexes by due time alone have it, over all merchants. */
export function dueAt(alias: string): string {
  return `coalesce(${alias}.next_attempt_at, 'infinity')`;
}

/** SQL of the rows that these indexes hold, due by an instant: it says so in the indexes' own words. */
export function isDueBy(alias: string, instant: string): string {
  return `${dueAt(alias)} < 'infinity' and ${dueAt(alias)} <= ${instant}`;
}

/** Rows due the longest that tell which merchants have due work, as long as they are all that is due. */
export const fewRows = 1_000;

/** Whose rows a table's are: merchants', or those of their further endpoints. */
interface Owner {
  readonly table: 'merchants' | 'endpoints';
  /** Beside the merchant. */
  readonly key: readonly string[];
  /** Since when its owner is sent nothing. */
  readonly pausedAt?: string;
}

const owners: Readonly<Record<JobTable, Owner>> = {
  requests: { table: 'merchants', key: [] },
  payments: { table: 'merchants', key: [] },
  psp_transactions: { table: 'merchants', key: [] },
  deliveries: { table: 'merchants', key: [], pausedAt: 'webhook_paused_at' },
  endpoint_deliveries: { table: 'endpoints', key: ['endpoint_id'], pausedAt: 'paused_at' },
};

/** Whether rows of a table may be due, and yet wait until their owner is resumed. */
export function isPausable(table: JobTable): boolean {
  return owners[table].pausedAt !== undefined;
}

/**
 * SQL of the rows whose owner is not paused, to follow another condition. `offset 0` keeps it a look-up for
 * each row.
 */
export function unlessOwnerPaused(table: JobTable, alias: string): string {
  const { table: owner, key, pausedAt } = owners[table];
  if (pausedAt === undefined) return '';
  const same = ['merchant_id', ...key].map((name) => `o.${name} = ${alias}.${name}`).join(' and ');
  return `and exists (select 1 from ${owner} o where ${same} and o.${pausedAt} is null offset 0)`;
}

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
 *
 * Merchants on their way to another cell are given none.
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
  const owner = owners[of.table];
  const all = (form: (name: string) => string) => owner.key.map(form).join('');
  const keysOf = (alias: string) => all((name) => `, ${alias}.${name}`);
  const same = (alias: string) => all((name) => `and w.${name} = ${alias}.${name} `);
  const isAtWork = owner.pausedAt === undefined ? '' : `and m.${owner.pausedAt} is null`;
  return `early as (
      select w.merchant_id${keysOf('w')} from ${of.table} w
      where ${isDueBy('w', '$1')}
      order by ${dueAt('w')} limit ${fewRows}
    ),
    due as (
      select d.merchant_id${keysOf('d')} from (
        select e.merchant_id${keysOf('e')} from (select distinct * from early) e
        where (select count(*) from early) < ${fewRows} and e.merchant_id <> all ($3::text[])
          ${unlessOwnerPaused(of.table, 'e')} ${unlessMoved('e')}
        union all
        select m.merchant_id${keysOf('m')} from ${owner.table} m
        where (select count(*) from early) = ${fewRows} and m.merchant_id <> all ($3::text[])
          ${isAtWork} ${unlessMoved('m')}
          and exists (select 1 from ${of.table} w
                      where w.merchant_id = m.merchant_id ${same('m')}and w.next_attempt_at <= $1
                      offset 0)
      ) d
      order by hashtext(d.merchant_id || $1::timestamptz::text)
    ),
    share as (
      select greatest(1, least($4::bigint, $5::bigint / nullif(count(*), 0)))::int as n from due
    ),
    picked as (
      select taken.* from due cross join lateral (
        select w.merchant_id${keysOf('w')}, ${of.key} from ${of.table} w
        where w.merchant_id = due.merchant_id ${same('due')}and w.next_attempt_at <= $1
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

interface TakenRow {
  readonly merchant_id: string;
  readonly share: number;
}

/** Whether rows of a claim, with their share, are all that was due: nothing cut it off. */
export function isAllDue(rows: readonly TakenRow[], limit: number): boolean {
  return cutAtShare(rows, limit)?.length === 0;
}

/**
 * The merchants of whom more may be due than rows of a claim, with their share, have; undefined where more of
 * others may be, since the limit cut the claim off.
 */
export function cutAtShare(rows: readonly TakenRow[], limit: number): string[] | undefined {
  if (rows.length >= limit) return undefined;
  const taken = new Map<string, number>();
  for (const { merchant_id: merchantId } of rows) {
    taken.set(merchantId, (taken.get(merchantId) ?? 0) + 1);
  }
  const share = rows[0]?.share ?? 1;
  return [...taken].flatMap(([merchantId, count]) => (count >= share ? [merchantId] : []));
}
