import { dayMs, hourMs } from '../../../domain/clock.ts';
import { archivePayments } from '../../../jobs/background/history/archive-payments.ts';
import { archivePayments as archiveStretch } from '../../../store/archive/archive-payments.ts';
import type { Draws } from '../../schedule/draws.ts';
import type { Scheduler } from '../../schedule/scheduler.ts';
import type { Fleet } from '../fleet.ts';
import type { ServiceProcess } from '../service-process.ts';
import type { Weather } from '../weather.ts';

export interface ArchivingDeps {
  readonly scheduler: Scheduler;
  readonly draws: Draws;
  readonly fleet: Fleet;
  readonly weather: Weather;
}

/**
 * A payment rests for this part of the days with faults before it is packed, instead of for 400 days: longer than what
 * runs at its end takes, and so short that those faults meet packed payments in worlds of any length.
 */
const restingShare = 1 / 8;
/** On average: often enough that a payment is packed soon after it has rested, and put back, and packed again. */
const everyMs = 8 * hourMs;
/** Once nothing goes wrong any more, as the service does. */
const calmEveryMs = dayMs;
/** Of the processes that are up, those that archive at one time: now and then two, which hold each other up. */
const processShare = 0.5;

/** Processes of the service archive what has rested, now and then, until the world ends. */
export function beginArchiving(deps: ArchivingDeps, days: number): void {
  const { scheduler, fleet, weather } = deps;
  const draws = deps.draws.fork('archiving');
  const plan = () => {
    const waitMs = 2 * draws.unit() * (weather.isCalm ? calmEveryMs : everyMs);
    scheduler.after(waitMs, run);
  };
  const run = () => {
    const nowMs = scheduler.nowMs();
    for (const process of fleet.processes()) {
      const archives = draws.chance(processShare);
      if (archives && process.machine.heldUntilMs <= nowMs) archive(deps, process, days);
    }
    plan();
  };
  plan();
}

/** As the background job does; what fails is left to the next run. */
function archive({ scheduler }: ArchivingDeps, process: ServiceProcess, days: number): void {
  const { machine, time, context } = process;
  const job = archivePayments({
    afterDays: days * restingShare,
    archive: (step) => archiveStretch(context.db, step),
  });
  const { signal } = new AbortController();
  const run = () => job.run({ at: context.clock.now(), signal, progress: () => undefined });
  time
    .awake()
    .then(() => machine.run(run))
    .then(
      () => scheduler.note(`${machine.name} has archived`),
      (error: unknown) => scheduler.note(`${machine.name} fails to archive: ${String(error)}`),
    );
}
