import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { LoopLoad } from '../http/bounds/loop-load.ts';
import type { Ringer } from '../jobs/ringer.ts';
import type { DatabaseClock } from '../jobs/time/database-clock.ts';
import type { LocalSecrets } from '../local-secrets.ts';
import type { Metrics } from '../metrics.ts';
import type { HashCredential } from '../recovery/admin/ports.ts';
import type { Database } from '../store/database.ts';
import type { ReportsDatabase } from '../store/reports-database.ts';
import type { Ring } from '../store/rings.ts';
import type { KeyRing } from '../store/sealing/key-ring.ts';
import type { MerchantDatabases } from '../store/wall/merchant-databases.ts';
import type { Wall } from '../store/wall/raise-wall.ts';
import type { Phase } from './process/phase.ts';
import type { RestoreHold } from './reconciliation-module.ts';
import type { SimulatedMachine } from './simulated/simulated-machine.ts';
import type { SimulatedOutside } from './simulated/simulated-outside.ts';
import type { Tracing } from './tracing/tracing.ts';
import type { WriteHealth } from './write-health.ts';

/** What every part of the running service is built from. */
export interface AppContext {
  readonly config: Config;
  readonly secrets: LocalSecrets;
  /** What wraps the data keys. */
  readonly keys: KeyRing;
  readonly hashCredential: HashCredential;
  /** The time of all work: the database's, in the sandbox as far ahead as it was moved. */
  readonly clock: Clock;
  /** The database's time as this process measures it, and whether work may be taken by it. */
  readonly engineTime: DatabaseClock;
  /** This machine's own clock: to be watched, never to judge another's time by. */
  readonly machine: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly db: Database;
  /** The same database as merchants' requests have it. */
  readonly merchantDatabases: MerchantDatabases;
  /** A replica that reports are read from. Absent: they are read from the database itself. */
  readonly reports?: ReportsDatabase;
  /** Whether the database keeps merchants apart. */
  readonly wall: Wall;
  /** Whether the database takes writes. Absent in simulations. */
  readonly writes?: WriteHealth;
  /** Where this process is between its start and its end. Absent in simulations. */
  readonly phase?: Phase;
  /** How far behind this process is. Absent in simulations. */
  readonly load?: LoopLoad;
  /** Where spans go. Absent: nothing is traced. */
  readonly tracing?: Tracing;
  /** Milliseconds that only ever grow: for durations, not for instants. */
  readonly elapsedMs: () => number;
  /** Nothing is charged while it holds. */
  readonly restoreHold?: RestoreHold;
  /** Tells other processes of due work, and hears of it. Absent in simulations and alone. */
  readonly ringer?: Ringer<Ring>;
  /** In simulations of the whole service only. */
  readonly outside?: SimulatedOutside;
  /** In simulations of faults only. */
  readonly simulated?: SimulatedMachine;
}

/** Something that was started; closed in the reverse order of the starts. */
export interface Closable {
  close(): Promise<void>;
}
