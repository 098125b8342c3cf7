import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { present } from '../domain/present.ts';
import type { Random } from '../domain/random.ts';
import type { DatabaseAddress } from '../store/cell.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { startEmbeddedServer } from '../store/embedded/embedded-server.ts';
import { migrate } from '../store/migrate.ts';
import { requireSchema } from '../store/migrating/check-schema.ts';
import { probeWrites } from '../store/probe-writes.ts';
import { type ReportsDatabase, reportsFrom } from '../store/reports-database.ts';
import {
  type MerchantDatabases,
  openMerchantDatabases,
  withoutWall,
} from '../store/wall/merchant-databases.ts';
import type { Wall } from '../store/wall/raise-wall.ts';
import { type Role, rolesOf } from '../store/wall/roles.ts';
import type { Closable } from './context.ts';
import { createWriteHealth, type WriteHealth } from './write-health.ts';

export interface ConnectedDatabase extends Closable {
  /** As the worker. */
  readonly db: Database;
  /** As the operator. */
  readonly operatorDb: Database;
  readonly merchantDatabases: MerchantDatabases;
  /** Of REPORTS_DATABASE_URL. */
  readonly reports?: ReportsDatabase;
  readonly wall: Wall;
  readonly address: DatabaseAddress;
  readonly writes: WriteHealth;
  /** Of the embedded one. */
  readonly dataPath?: string;
}

interface Deps {
  readonly machine: Clock;
  readonly random: Random;
  readonly elapsedMs: () => number;
  readonly log: Logger;
  readonly onFatal: (error: Error) => void;
  readonly ending?: AbortSignal;
}

/** The database of DATABASE_URL, or the embedded one of the data folder, brought to this version. */
export async function connectDatabase(deps: Deps, config: Config): Promise<ConnectedDatabase> {
  const { databaseSchema: schema } = config;
  if (config.databaseUrl !== undefined) {
    return open(deps, config, { connectionString: config.databaseUrl, schema });
  }
  const log = {
    info: (message: string) => deps.log.info(message),
    warn: (message: string) => deps.log.warn(message),
  };
  const { dataDir } = config;
  const server = await startEmbeddedServer({ random: deps.random, log }, { dataDir });
  server.onExit(deps.onFatal);
  try {
    const opened = await open(deps, config, { connectionString: server.connectionString, schema });
    return {
      ...opened,
      dataPath: server.dataPath,
      async close() {
        await opened.close();
        await server.stop();
      },
    };
  } catch (error) {
    await server.stop();
    throw error;
  }
}

/** The replica of REPORTS_DATABASE_URL. It is not asked before there is a report to read. */
function openReports(
  deps: Deps,
  config: Config,
  { primary, role }: { readonly primary: Database; readonly role?: Role },
): (ReportsDatabase & Closable) | undefined {
  const { reportsDatabaseUrl: url, databasePool: poolSize, roles: own } = config;
  if (url === undefined || !own.includes('operator')) return undefined;
  const { databaseSchema: schema, databasePoolPerMerchant: perSender } = config;
  const input = { connectionString: url, schema, poolSize, perSender };
  const replica = openDatabase(deps, { ...input, role });
  return { ...reportsFrom(deps, { replica, primary }), close: () => replica.close() };
}

/** Who is asked to end does not wait for the schema: a migration that is cut off is rolled back. */
async function unlessEnding<T>({ ending }: Deps, work: () => Promise<T>): Promise<T> {
  if (ending === undefined) return work();
  ending.throwIfAborted();
  return new Promise((resolve, reject) => {
    const leave = () => reject(ending.reason);
    ending.addEventListener('abort', leave, { once: true });
    work()
      .then(resolve, reject)
      .finally(() => ending.removeEventListener('abort', leave));
  });
}

/** The schema of this version: made by this start, or found. */
async function prepareSchema(deps: Deps, config: Config, address: DatabaseAddress): Promise<Wall> {
  if (!config.migrateOnStart) return requireSchema(address);
  const { applied, wall } = await migrate({ ...address, clock: deps.machine });
  if (applied.length > 0) deps.log.info(appliedFields(applied), 'the database was migrated');
  return wall;
}

/** What the log says of migrations that ran: each by name, but of a new database, which had them all, how many. */
export function appliedFields(applied: readonly string[]): object {
  const isNew = applied[0]?.startsWith('0001_') === true;
  return isNew ? { applied: applied.length, last: applied.at(-1) } : { applied };
}

async function open(
  deps: Deps,
  config: Config,
  address: DatabaseAddress,
): Promise<ConnectedDatabase> {
  const wall = await unlessEnding(deps, () => prepareSchema(deps, config, address));
  const writes = createWriteHealth({
    elapsedMs: deps.elapsedMs,
    probe: () => probeWrites(db),
  });
  const onRefused = writes.note;
  const { databasePool: poolSize, databasePoolPerMerchant: perSender } = config;
  const input = { ...address, poolSize, perSender };
  const roles = rolesOf(address.schema);
  const open = (role: Role) => openDatabase({ ...deps, onRefused }, { ...input, role });
  if (wall.kind === 'down') {
    deps.log.warn({ lacks: wall.lacks }, 'the database has no second wall between merchants');
    const db = openDatabase({ ...deps, onRefused }, input);
    const merchantDatabases = withoutWall(db);
    const reports = openReports(deps, config, { primary: db });
    return {
      ...{ db, operatorDb: db, merchantDatabases, wall, address, writes },
      ...present({ reports }),
      async close() {
        await Promise.all([db.close(), reports?.close()]);
      },
    };
  }
  const db = open(roles.worker);
  const operatorDb = open(roles.operator);
  const reports = openReports(deps, config, { primary: operatorDb, role: roles.operator });
  const merchantDatabases = openMerchantDatabases({ ...deps, onRefused }, input);
  return {
    db,
    operatorDb,
    merchantDatabases,
    ...present({ reports }),
    wall,
    address,
    writes,
    async close() {
      const all = [db, operatorDb, merchantDatabases, ...(reports === undefined ? [] : [reports])];
      await Promise.all(all.map((each) => each.close()));
    },
  };
}
