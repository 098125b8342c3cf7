import { secondMs } from '../domain/clock.ts';
import { errorMessage } from '../domain/errors/error-message.ts';
import type { MovableClock } from './movable-clock.ts';

export interface ClockFollowerDeps {
  readonly clock: MovableClock;
  /** The offset as the database has it, in milliseconds. */
  readOffset(): Promise<number>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

export interface ClockFollower {
  /** Looks now: another process says that it moved the clock. */
  look(): void;
  stop(): Promise<void>;
}

/** The longest time that two processes of one sandbox disagree about the time, where a ring was lost. */
const everyMs = 5 * secondMs;

/**
 * Keeps this process's clock where another process moved it: in the sandbox every process follows,
 * so that the API, the workers and the operator's port agree. Whoever moves the clock waits for
 * all work that is due, so a process that is behind for a moment is late, but nothing is skipped.
 */
export function startClockFollower(deps: ClockFollowerDeps): ClockFollower {
  let isStopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let looking: Promise<void> = Promise.resolve();

  async function look(): Promise<void> {
    try {
      deps.clock.moveToOffset(await deps.readOffset());
      isFailing = false;
    } catch (error) {
      if (!isFailing) deps.log.warn({ error: errorMessage(error) }, 'the clock could not be read');
      isFailing = true;
    }
    plan();
  }

  function plan(): void {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(begin, everyMs);
  }

  function begin(): void {
    looking = look();
  }

  plan();
  return {
    look() {
      if (!isStopped) looking = looking.then(look);
    },
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      await looking;
    },
  };
}
