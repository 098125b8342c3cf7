import { secondMs } from '../../domain/clock.ts';
import { errorMessage } from '../../domain/errors/error-message.ts';
import type { HeldBack } from '../../domain/held-back.ts';
import type { ClockReadings, DatabaseClock } from './database-clock.ts';
import type { Jump } from './jump-watch.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface ClockKeeperDeps {
  readonly clock: DatabaseClock;
  readonly log: {
    info(fields: Fields, message: string): void;
    warn(fields: Fields, message: string): void;
  };
  /** Told after each measurement, and at each change of whether the process holds back. */
  report(state: ClockState): void;
}

export interface ClockState extends ClockReadings {
  readonly heldBack: HeldBack | undefined;
}

export interface ClockKeeper {
  stop(): Promise<void>;
}

/** Between two measurements. */
const everyMs = 2 * secondMs;
/** Between two looks for a jump: far less than what counts as a standstill; whoever takes work looks by itself. */
const lookEveryMs = secondMs;

/**
 * Keeps the engine's time true: measures it every two seconds and at once after a jump, and tells each
 * change of whether this process may take work.
 */
export function startClockKeeper(deps: ClockKeeperDeps): ClockKeeper {
  const { clock, log } = deps;
  let isStopped = false;
  let isFailing = false;
  let isMeasuring = false;
  let isAskedAgain = false;
  let heldCode: HeldBack['code'] | undefined;
  let timer: NodeJS.Timeout | undefined;
  let measuring: Promise<void> | undefined;

  function tell(): void {
    const heldBack = clock.heldBack();
    if (heldBack?.code !== heldCode) {
      heldCode = heldBack?.code;
      if (heldBack === undefined) log.info({ ...clock.readings() }, 'work is taken again');
      else log.warn({ ...heldBack, ...clock.readings() }, 'no work is taken');
    }
    deps.report({ ...clock.readings(), heldBack });
  }

  async function measure(): Promise<void> {
    isMeasuring = true;
    isAskedAgain = false;
    try {
      await clock.measure();
      isFailing = false;
    } catch (error) {
      if (!isFailing) log.warn({ error: errorMessage(error) }, 'the clock could not be measured');
      isFailing = true;
    }
    isMeasuring = false;
    if (isStopped) return;
    tell();
    timer = setTimeout(start, isAskedAgain ? 0 : everyMs);
  }

  function start(): void {
    clearTimeout(timer);
    measuring = measure();
  }

  function afterJump(jump: Jump): void {
    log.warn({ ...jump }, "this machine's clock jumped; work taken before is dropped");
    isAskedAgain = true;
    if (!isMeasuring && !isStopped) start();
  }

  const looking = setInterval(tell, lookEveryMs);
  clock.onJump(afterJump);
  start();
  return {
    async stop() {
      isStopped = true;
      clearInterval(looking);
      clearTimeout(timer);
      await measuring;
    },
  };
}
