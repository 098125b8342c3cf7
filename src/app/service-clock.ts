import { setTimeout as pause } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { Config } from '../config.ts';
import type { Clock } from '../domain/clock.ts';
import { type ClockDriver, createClockDriver } from '../jobs/clock-driver.ts';
import { startClockFollower } from '../jobs/clock-follower.ts';
import type { DutyTimes } from '../jobs/duty-times.ts';
import { createMovableClock, type MovableClock } from '../jobs/movable-clock.ts';
import { allMerchants } from '../recovery/learned/model-ports.ts';
import { appendAudit } from '../store/admin/audit-log.ts';
import type { Database } from '../store/database.ts';
import { countDue, countPlanned, earliestDue } from '../store/due-times.ts';
import { readClockOffset, writeClockOffset } from '../store/sandbox-clock.ts';
import type { Closable } from './context.ts';
import type { SimulatedOutside } from './simulated/simulated-outside.ts';

/** The clock of everything in this process: the machine's, or the sandbox's movable one. */
export interface ServiceClock extends Closable {
  readonly clock: Clock;
  /** Present in the sandbox. */
  readonly movable?: MovableClock;
}

export async function createServiceClock(
  deps: { readonly machine: Clock; readonly log: Logger },
  config: Config,
  db: Database,
): Promise<ServiceClock> {
  const { machine, log } = deps;
  if (!config.sandbox) return { clock: machine, close: async () => undefined };
  const movable = createMovableClock({ machine, offsetMs: await readClockOffset(db) });
  const follower = startClockFollower({
    clock: movable,
    readOffset: () => readClockOffset(db),
    log,
  });
  return { clock: movable, movable, close: () => follower.stop() };
}

/** What moves the sandbox's clock: one for each process with the operator API. */
export function createDriver(
  deps: { readonly machine: Clock; readonly log: Logger },
  parts: {
    readonly config: Config;
    readonly clock: MovableClock;
    readonly db: Database;
    readonly dutyTimes: DutyTimes;
    readonly outside?: SimulatedOutside | undefined;
  },
): ClockDriver {
  const { config, clock, db, dutyTimes, outside } = parts;
  return createClockDriver({
    clock,
    machine: deps.machine,
    earliestDue: () => earliestDue(db),
    earliestDutyAt: () => dutyTimes.earliestDutyAt(clock.now()),
    countDue: async (at) => ({ ...(await countDue(db, at)), ...(await dutyTimes.countDue(at)) }),
    countPlanned: (to) => countPlanned(db, to),
    async noteMove({ from, to }) {
      const detail = { from: from.toISOString(), to: to.toISOString() };
      await appendAudit(db, allMerchants, { action: 'clock.moved', detail, at: from });
    },
    writeOffset: (offsetMs) => writeClockOffset(db, offsetMs),
    pause: async (durationMs) => {
      await pause(durationMs);
    },
    log: deps.log,
    ...(outside === undefined ? {} : { grainMs: () => outside.clockGrainMs() }),
    stuckAfterMs: 2 * Math.max(config.attemptLeaseMs, config.deliveryLeaseMs),
  });
}
