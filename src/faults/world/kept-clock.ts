import { secondMs } from '../../domain/clock.ts';
import { startClockKeeper } from '../../jobs/time/clock-keeper.ts';
import { createDatabaseClock, type DatabaseClock } from '../../jobs/time/database-clock.ts';
import type { EngineLog } from '../../recovery/engine/deps.ts';
import type { Machine } from '../schedule/machine.ts';
import type { Scheduler } from '../schedule/scheduler.ts';

/**
 * The engine's time of a process, kept by the service's own keeper while the process works. One that
 * has nothing to do is not asked each second of four weeks what the time is: its keeper rests, and
 * measures anew before the process does anything again.
 */
export interface KeptClock {
  readonly clock: DatabaseClock;
  /** Resolves when the time is measured: for whatever the process is to do now. */
  awake(): Promise<void>;
  /** The process is at work. */
  touch(): void;
}

export interface KeptClockDeps {
  readonly scheduler: Scheduler;
  readonly machine: Machine;
  readonly log: EngineLog;
  readonly restMs: number;
  /** The way to the database and back, and its clock there. */
  readonly askTime: () => Promise<number>;
}

/** Longer than any pause of a process that has work, while it waits for nobody. */
const idleMs = 3 * secondMs;
const lookEveryMs = 2 * secondMs;

export function createKeptClock(deps: KeptClockDeps): KeptClock {
  const { scheduler, machine, log } = deps;
  const clock = createDatabaseClock({
    wall: machine.wall,
    elapsedMs: () => machine.elapsedMs(),
    askTime: deps.askTime,
    restMs: deps.restMs,
  });
  // Each keeper listens anew; those before it have ended.
  let onJump: Parameters<DatabaseClock['onJump']>[0] = () => undefined;
  clock.onJump((jump) => onJump(jump));
  const listened: DatabaseClock = {
    ...clock,
    onJump(listener) {
      onJump = listener;
    },
  };
  let touchedMs = 0;
  let ready: Promise<void> | undefined;

  function start(): Promise<void> {
    return new Promise((resolve) => {
      const keeper = machine.run(() =>
        startClockKeeper({ clock: listened, log, report: () => resolve() }),
      );
      const rest = () => {
        if (machine.waits > 0 || scheduler.nowMs() - touchedMs < idleMs) {
          scheduler.after(lookEveryMs, rest, machine);
          return;
        }
        ready = undefined;
        void keeper.stop();
      };
      scheduler.after(lookEveryMs, rest, machine);
    });
  }

  return {
    clock,
    touch() {
      touchedMs = scheduler.nowMs();
    },
    awake() {
      touchedMs = scheduler.nowMs();
      ready ??= start();
      return ready;
    },
  };
}
