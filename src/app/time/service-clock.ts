import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../../config.ts';
import { type Clock, minuteMs, secondMs } from '../../domain/clock.ts';
import { AppError } from '../../domain/errors.ts';
import { type ClockDriver, createClockDriver } from '../../jobs/clock-driver.ts';
import { startClockFollower } from '../../jobs/clock-follower.ts';
import type { JobTimes } from '../../jobs/job-times.ts';
import { createMovableClock, type MovableClock } from '../../jobs/movable-clock.ts';
import type { Ringer } from '../../jobs/ringer.ts';
import { allMerchants } from '../../recovery/learned/model-ports.ts';
import { appendAudit } from '../../store/admin/audit-log.ts';
import { findLiveConnection } from '../../store/admin/live-connections.ts';
import { readClockOffset, writeClockOffset } from '../../store/clock/sandbox-clock.ts';
import type { Database } from '../../store/database.ts';
import { countDue, countPlanned, earliestDue } from '../../store/due-times.ts';
import type { Ring } from '../../store/rings.ts';
import type { Closable } from '../context.ts';
import type { SimulatedOutside } from '../simulated/simulated-outside.ts';

/**
 * One background run may take this long, however short the leases are: a comparison with a PSP's list
 * that opens some hundred incidents takes ten seconds on a busy machine.
 */
const jobPatienceMs = minuteMs;

/** The clock of everything in this process: the database's, or the sandbox's movable one before it. */
export interface ServiceClock extends Closable {
  readonly clock: Clock;
  /** Present in the sandbox. */
  readonly movable?: MovableClock;
}

export async function createServiceClock(
  deps: { readonly engineTime: Clock; readonly log: Logger; readonly ringer: Ringer<Ring> },
  config: Config,
  db: Database,
): Promise<ServiceClock> {
  const { engineTime, log, ringer } = deps;
  if (!config.sandbox) return { clock: engineTime, close: async () => undefined };
  const offsetMs = await readClockOffset(db);
  const movable = createMovableClock({ base: engineTime, offsetMs });
  const follower = startClockFollower({
    clock: movable,
    readOffset: () => readClockOffset(db),
    log,
  });
  ringer.on('clock', follower.look);
  return { clock: movable, movable, close: () => follower.stop() };
}

/**
 * What falls due within so long is done together: payments that were reported one after the other would
 * else be waited for as long once more at each of their tries.
 */
const grainMs = 10 * secondMs;

/** @throws AppError clock_not_movable */
async function refuseMoveForLive(db: Database): Promise<void> {
  const live = await findLiveConnection(db);
  if (live === undefined) return;
  const { merchantId, psp, mode } = live;
  const words = mode === 'live' ? 'live' : 'not known to be one of a test mode';
  throw new AppError(
    'clock_not_movable',
    `The account of merchant ${merchantId} at ${psp} is ${words}: its charges go by the real time.`,
  );
}

/** What moves the sandbox's clock: one for each process with the operator API. */
export function createDriver(
  deps: {
    readonly engineTime: Clock;
    readonly elapsedMs: () => number;
    readonly log: Logger;
    readonly ringer: Ringer<Ring> | undefined;
  },
  parts: {
    readonly config: Config;
    readonly clock: MovableClock;
    readonly db: Database;
    readonly jobTimes: JobTimes;
    readonly outside?: SimulatedOutside | undefined;
  },
): ClockDriver {
  const { config, clock, db, jobTimes, outside } = parts;
  return createClockDriver({
    clock,
    base: deps.engineTime,
    elapsedMs: deps.elapsedMs,
    earliestDue: () => earliestDue(db),
    earliestJobAt: () => jobTimes.earliestJobAt(clock.now()),
    countDue: async (at) => ({ ...(await countDue(db, at)), ...(await jobTimes.countDue(at)) }),
    countPlanned: (to) => countPlanned(db, to),
    refuseMove: () => refuseMoveForLive(db),
    async noteMove({ from, to }) {
      const detail = { from: from.toISOString(), to: to.toISOString() };
      const [before, after] = [{ now: detail.from }, { now: detail.to }];
      await appendAudit(db, allMerchants, {
        action: 'clock.moved',
        detail,
        before,
        after,
        at: from,
      });
    },
    async writeOffset(offsetMs) {
      const stored = await writeClockOffset(db, offsetMs);
      deps.ringer?.ring('clock');
      return stored;
    },
    pause: async (durationMs) => {
      await pause(durationMs);
    },
    log: deps.log,
    grainMs: () => outside?.clockGrainMs() ?? grainMs,
    stuckAfterMs: Math.max(jobPatienceMs, 2 * config.attemptLeaseMs, 2 * config.deliveryLeaseMs),
  });
}
