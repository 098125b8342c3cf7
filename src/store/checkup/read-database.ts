import type { Clock } from '../../domain/clock.ts';
import type { DatabaseState } from '../../recovery/checkup/checkup-ports.ts';
import type { Queryable, Statement } from '../database.ts';
import { migrationFiles } from '../migrating/migration-files.ts';

/** The one statement that asks the server's clock: to compare it with ours. */
const ask: Statement = {
  name: 'checkup_database',
  text: `
    select current_setting('server_version') as version, clock_timestamp() as at,
      (select array_agg(name order by name) from migrations) as migrations,
      (select array_agg(name) from migrations where kind = 'expand') as adding`,
};

interface Row {
  readonly version: string;
  readonly at: Date;
  readonly migrations: readonly string[] | null;
  /** Those of them that releases from before run on. */
  readonly adding: readonly string[] | null;
}

/** @param deps.machine the machine's own clock, whatever the sandbox's is */
export async function readDatabase(deps: {
  readonly db: Queryable;
  readonly machine: Clock;
  readonly elapsedMs: () => number;
}): Promise<DatabaseState> {
  const startedMs = deps.elapsedMs();
  const startedAt = deps.machine.now();
  const [row] = await deps.db.query<Row>(ask, []);
  const roundTripMs = deps.elapsedMs() - startedMs;
  const files = await migrationFiles();
  const done = row?.migrations ?? [];
  const unknown = done.filter((name) => !files.includes(name));
  const adding = row?.adding ?? [];
  const midwayMs = startedAt.getTime() + roundTripMs / 2;
  return {
    serverVersion: row?.version.split(' ')[0] ?? '0',
    roundTripMs,
    clockAheadMs: (row?.at.getTime() ?? midwayMs) - midwayMs,
    missingMigrations: files.filter((name) => !done.includes(name)),
    unknownMigrations: unknown.filter((name) => !adding.includes(name)),
    addedMigrations: unknown.filter((name) => adding.includes(name)),
  };
}
