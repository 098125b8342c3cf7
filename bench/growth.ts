import type pg from 'pg';
import { startAttemptWorld } from './kit/attempt-world.ts';
import { print } from './kit/report.ts';

const months = 12;
const [ofAYear, ofAQuickYear] = [1_000_000, 12_000];
const budgetKiB = 6;

/**
 * A year of payments (`--payments=`, `--quick`), month after month by the worker on one database: attempts a
 * second and CPU of each month, which are to stay flat while tables grow, and what a finished payment keeps. Each
 * succeeds at once; what reports of merchants leave behind (`transactions`, `debt_identities`) is not among it.
 */
export async function growth(): Promise<void> {
  await using world = await startAttemptWorld();
  const ofAMonth = Math.ceil(wantedPayments() / months);
  print(`growth: ${months} months of ${ofAMonth} payments`);
  for (let month = 1; month <= months; month += 1) {
    const { perSecond, cpuUs, logBytes } = await world.attempts(ofAMonth);
    const tables = await tableSizes(world.client);
    const perPayment = sum(tables.map(({ bytes }) => bytes)) / (month * ofAMonth);
    print(
      `  month ${month}: ${perSecond.toFixed(0)} attempts a second; CPU of one, in microseconds: ` +
        `worker ${(cpuUs.worker ?? 0).toFixed(0)}, database ${(cpuUs.database ?? 0).toFixed(0)}; ` +
        `${(logBytes / 1000).toFixed(1)} kB of log; ${(perPayment / 1024).toFixed(2)} KiB a payment`,
    );
  }
  const payments = months * ofAMonth;
  const tables = await tableSizes(world.client);
  const total = sum(tables.map(({ bytes }) => bytes)) / payments / 1024;
  print(
    `  a finished payment keeps ${total.toFixed(2)} KiB without what its reports leave ` +
      `(budget ${budgetKiB} KiB with that)`,
  );
  for (const { name, bytes, index_bytes: indexes } of tables) {
    const of = (value: number) => (value / payments).toFixed(0);
    print(`    ${name}: ${of(bytes)} bytes, ${of(indexes)} of them indexes`);
  }
}

function wantedPayments(): number {
  const wanted = process.argv.find((text) => text.startsWith('--payments='));
  if (wanted !== undefined) return Number(wanted.slice('--payments='.length));
  return process.argv.includes('--quick') ? ofAQuickYear : ofAYear;
}

const sum = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0);

interface TableSize {
  readonly name: string;
  readonly bytes: number;
  readonly index_bytes: number;
}

/** Every table that grew beyond what an empty one takes, the largest first. */
async function tableSizes(client: pg.ClientBase): Promise<readonly TableSize[]> {
  const { rows } = await client.query<TableSize>(`
    select relname as name, pg_total_relation_size(relid)::float8 as bytes,
           pg_indexes_size(relid)::float8 as index_bytes
    from pg_stat_user_tables
    where schemaname = current_schema() and n_live_tup > 1000
    order by 2 desc`);
  return rows;
}
