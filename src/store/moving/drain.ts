import { jobTables } from '../job-tables.ts';
import { type CellConnection, rowsOf } from './cell-connection.ts';

/** What is still under way for a merchant, in words; empty once nothing is. */
export async function stillUnderWay(
  source: CellConnection,
  merchantId: string,
): Promise<readonly string[]> {
  return [...(await leasesOf(source, merchantId)), ...(await jobsOf(source, merchantId))];
}

/** Leases end by the service's clock: the database's, in the sandbox as far ahead as it was moved. */
const leases = jobTables
  .map(
    (table) => `
  select '${table}' as name, count(*)::int as count from ${table} t, sandbox_clock c
  where t.merchant_id = $1 and t.next_attempt_at is not null
    and t.lease_until > now() + c.offset_ms * interval '1 ms'`,
  )
  .join(' union all ');

/** Work of each kind that somebody has taken and not given back. */
export async function leasesOf(
  source: CellConnection,
  merchantId: string,
): Promise<readonly string[]> {
  const rows = await rowsOf<{ name: string; count: number }>(source, leases, [merchantId]);
  return rows.flatMap(({ name, count }) => (count === 0 ? [] : [`${count} of ${name} in hand`]));
}

/** The queue that would go on with them is the cell's own. */
const jobs = `
  select 'a bulk action' as what from bulk_actions where merchant_id = $1 and state = 'running'
  union all
  select 'a replay' from replays where merchant_id = $1 and state = 'running'
  union all
  select 'a what-if' from what_ifs where merchant_id = $1 and state not in ('done', 'failed')
  union all
  select 'a training' from trainings where merchant_id = $1 and state not in ('done', 'failed')
  union all
  select 'a comparison with a PSP' from reconciliations where merchant_id = $1 and state = 'running'`;

export async function jobsOf(
  source: CellConnection,
  merchantId: string,
): Promise<readonly string[]> {
  const rows = await rowsOf<{ what: string }>(source, jobs, [merchantId]);
  return rows.map(({ what }) => `${what} runs`);
}
