import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import type { Clock } from '../../domain/clock.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import { createRinger } from '../../jobs/ringer.ts';
import type { ReceivedEvent } from '../../merchant/demo-inbox.ts';
import { createMetrics, type Metrics } from '../../metrics.ts';
import { releaseClaims } from '../../store/release-claims.ts';
import { type Ring, ring, ringChannel } from '../../store/rings.ts';
import { type ConnectedDatabase, connectDatabase } from '../connect-database.ts';
import type { AppContext, Closable } from '../context.ts';
import { openSecrets } from '../keys/open-secrets.ts';
import { createRestoreHold } from '../reconciliation-module.ts';
import type { SimulatedOutside } from '../simulated/simulated-outside.ts';
import { keepTime } from '../time/keep-time.ts';
import { createServiceClock, type ServiceClock } from '../time/service-clock.ts';
import { watchLoop } from '../time/watch-loop.ts';
import { startTracing } from '../tracing/start-tracing.ts';
import type { Phase } from './phase.ts';

export interface AppDeps {
  /** The machine's own clock and randomness. */
  readonly machine: Clock;
  readonly random: Random;
  readonly elapsedMs: () => number;
  readonly log: Logger;
  /** The demo merchant verified a webhook. */
  readonly onVerified?: (received: ReceivedEvent) => void;
  /** The service cannot go on, although it had started. */
  readonly onFatal: (error: Error) => void;
  /** Asked to end while it starts: what has started is closed, and the start throws the signal's reason. */
  readonly ending?: AbortSignal;
  /** A simulated world around the sandbox. */
  readonly outside?: SimulatedOutside;
}

/** Has a part closed when the service ends, after those that were kept later. */
export type Keep = <Part extends Closable>(part: Part) => Part;

/** Opens what every part is built from: database, time, secrets, metrics. */
export async function openContext(
  deps: AppDeps & { readonly phase: Phase },
  { config, keep }: { readonly config: Config; readonly keep: Keep },
): Promise<{
  readonly context: AppContext;
  readonly database: ConnectedDatabase;
  readonly serviceClock: ServiceClock;
}> {
  const { random } = deps;
  const tracing = await startTracing(deps, config);
  if (tracing !== undefined) keep(tracing);
  const database = keep(await connectDatabase(deps, config));
  const metrics = createMetrics();
  const time = await startTime({ ...deps, metrics }, { config, database, keep });
  const { engineTime, serviceClock, ringer, clock } = time;
  const base: AppContext = {
    config,
    ...(await openSecrets({ random, db: database.db, clock }, config)),
    ...given(deps),
    phase: deps.phase,
    clock,
    engineTime,
    ringer,
    metrics,
    ...databasesOf(database),
    ...present({ tracing }),
    load: keep(watchLoop({ config, elapsedMs: deps.elapsedMs }, metrics)).load,
  };
  const context = { ...base, restoreHold: await createRestoreHold(base) };
  return { context, database, serviceClock };
}

function databasesOf({ db, merchantDatabases, wall, writes, reports }: ConnectedDatabase) {
  return { db, merchantDatabases, wall, writes, ...present({ reports }) };
}

/** The time of the engine, and what the sandbox makes of it. */
async function startTime(
  deps: AppDeps & { readonly metrics: Metrics },
  input: { readonly config: Config; readonly database: ConnectedDatabase; readonly keep: Keep },
) {
  const { config, database, keep } = input;
  const { db, address, writes } = database;
  const ringer = createRinger<Ring>((what) => ring(db, ringChannel(address.schema), what));
  const { clock: engineTime } = keep(
    await keepTime(deps, { config, address, onRefused: writes.note, heard: ringer.heard }),
  );
  const { log } = deps;
  const serviceClock = keep(await createServiceClock({ engineTime, log, ringer }, config, db));
  // The embedded database is this process's alone: whoever held anything in it is gone.
  if (database.dataPath !== undefined) await releaseClaims(db, serviceClock.clock.now());
  return { engineTime, serviceClock, ringer, clock: serviceClock.clock };
}

/** What the parts get as it was passed in. */
function given({ machine, random, log, elapsedMs, outside }: AppDeps) {
  return { machine, random, log, elapsedMs, ...present({ outside }) };
}
