import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import type { Random } from '../domain/random.ts';
import type { LocalSecrets } from '../local-secrets.ts';
import type { Metrics } from '../metrics.ts';
import type { Database } from '../store/database.ts';
import type { SimulatedOutside } from './simulated/simulated-outside.ts';

/** What every part of the running service is built from. */
export interface AppContext {
  readonly config: Config;
  readonly secrets: LocalSecrets;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Logger;
  readonly metrics: Metrics;
  readonly db: Database;
  /** Milliseconds that only ever grow: for durations, not for instants. */
  readonly elapsedMs: () => number;
  /** In simulations of the whole service only. */
  readonly outside?: SimulatedOutside;
}

/** Something that was started; closed in the reverse order of the starts. */
export interface Closable {
  close(): Promise<void>;
}
