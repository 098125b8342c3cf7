import type pg from 'pg';
import { archivePayments } from '../src/store/archive/archive-payments.ts';
import { openDatabase } from '../src/store/database.ts';
import { startAttemptWorld } from './kit/attempt-world.ts';
import { print } from './kit/report.ts';

const months = 12;
const [ofAYear, ofAQuickYear] = [1_000_000, 12_000];
const [liveBudgetKiB, archivedBudgetKiB] = [6, 1.5];

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
  printSizes(await tableSizes(world.client), { payments, what: 'live', budgetKiB: liveBudgetKiB });
  const seconds = await archiveAll(world.connectionString);
  print(
    `  archived in ${seconds.toFixed(1)} s, ${(payments / seconds).toFixed(0)} payments a second`,
  );
  // What new rows would fill in time is given back at once.
  await world.client.query('vacuum full');
  printSizes(await tableSizes(world.client), {
    payments,
    what: 'in the archive',
    budgetKiB: archivedBudgetKiB,
  });
}

/** Moves every payment that has ended into the archive; how many seconds it took. */
async function archiveAll(connectionString: string): Promise<number> {
  const db = openDatabase({ log: { warn: print } }, { connectionString, poolSize: 1 });
  try {
    const begun = performance.now();
    const at = new Date();
    while ((await archivePayments(db, { before: at, at })) > 0);
    return (performance.now() - begun) / 1000;
  } finally {
    await db.close();
  }
}

function printSizes(
  tables: readonly TableSize[],
  of: { readonly payments: number; readonly what: string; readonly budgetKiB: number },
): void {
  const each = (value: number) => (value / of.payments).toFixed(0);
  const total = sum(tables.map(({ bytes }) => bytes)) / of.payments / 1024;
  print(
    `  a finished payment keeps ${total.toFixed(2)} KiB ${of.what} without what its reports leave ` +
      `(budget ${of.budgetKiB} KiB with that)`,
  );
  for (const { name, bytes, index_bytes: indexes } of tables) {
    print(`    ${name}: ${each(bytes)} bytes, ${each(indexes)} of them indexes`);
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
