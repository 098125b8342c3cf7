import { addMs, type Clock, leftOfWait, secondMs } from '../domain/clock.ts';
import { errorMessage } from '../domain/errors/error-message.ts';

/** When work of one kind that nobody has is due, the earliest first. */
export interface KnownDue {
  readonly at: readonly Date[];
  /** There are no more until the time that was asked for. */
  readonly isAll: boolean;
}

export interface DueWatchDeps<Kind extends string> {
  readonly clock: Clock;
  readNextDue(input: {
    readonly now: Date;
    readonly until: Date;
  }): Promise<Readonly<Record<Kind, KnownDue>>>;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

export interface DueWatch {
  stop(): Promise<void>;
}

/**
 * Between two looks. Whoever makes work due in this process rings its loop itself, and other processes
 * ring too; this is the longest that work waits whose ring was lost, and that was planned to be due sooner
 * than the next look.
 */
const everyMs = secondMs;
/** The same where nothing was due for so many looks: there, most of what the service uses would be its looks. */
const quietEveryMs = 3 * secondMs;
const looksUntilQuiet = 60;
/** One look reaches a little into the next one's time, so that nothing falls between them. */
const overlapMs = 250;
/** Work that falls due within so long of each other is begun together: one claim costs as much as five of one. */
const togetherMs = 100;
/** Node may fire a timer a millisecond early, and the clock is rounded to one. */
const graceMs = 2;

/**
 * Rings each kind's loop when work of it falls due: one cheap look a second for all of them, or each three
 * seconds where nothing happens, and a timer for what it saw coming. So nothing is claimed in vain, and what is
 * due begins at its time.
 */
export function startDueWatch<Kind extends string>(
  deps: DueWatchDeps<Kind>,
  wake: Readonly<Record<Kind, () => void>>,
): DueWatch {
  const { clock, log } = deps;
  const rings = (Object.entries(wake) as [Kind, () => void][]).map(
    ([kind, ringLoop]) => [kind, createRing(clock, ringLoop)] as const,
  );
  let isStopped = false;
  let isFailing = false;
  let timer: NodeJS.Timeout | undefined;
  let emptyLooks = 0;

  async function look(): Promise<void> {
    let waitMs = emptyLooks < looksUntilQuiet ? everyMs : quietEveryMs;
    try {
      const now = clock.now();
      const due = await deps.readNextDue({ now, until: addMs(now, waitMs + overlapMs) });
      isFailing = false;
      if (isStopped) return;
      emptyLooks = rings.every(([kind]) => due[kind].at.length === 0) ? emptyLooks + 1 : 0;
      for (const [kind, ring] of rings) {
        const { at, isAll } = due[kind];
        ring.at(at);
        const last = at.at(-1);
        if (isAll || last === undefined) continue;
        const untilLastMs = last.getTime() - clock.now().getTime();
        // Where all of them are due by now, their loop claims until nothing is left.
        if (untilLastMs > 0) waitMs = Math.min(waitMs, Math.max(togetherMs, untilLastMs));
      }
    } catch (error) {
      if (!isFailing) log.warn({ error: errorMessage(error) }, 'due work could not be looked for');
      isFailing = true;
    }
    if (!isStopped) timer = setTimeout(begin, waitMs);
  }

  let looking = look();
  function begin(): void {
    looking = look();
  }
  return {
    async stop() {
      isStopped = true;
      clearTimeout(timer);
      for (const [, ring] of rings) ring.at([]);
      await looking;
    },
  };
}

/** Rings at known times, those close to each other once. */
function createRing(clock: Clock, wake: () => void): { at(times: readonly Date[]): void } {
  let timer: NodeJS.Timeout | undefined;
  let times: readonly Date[] = [];
  let quietUntilMs = Number.NEGATIVE_INFINITY;

  function arm(): void {
    clearTimeout(timer);
    const [next] = times;
    if (next === undefined) return;
    const nowMs = clock.now().getTime();
    const quietMs = leftOfWait({ endsAtMs: quietUntilMs, mostMs: togetherMs }, nowMs);
    const waitMs = Math.max(next.getTime() + graceMs - nowMs, quietMs);
    if (waitMs > 0) {
      timer = setTimeout(arm, waitMs);
      return;
    }
    quietUntilMs = nowMs + togetherMs;
    times = times.filter((at) => at.getTime() > nowMs);
    wake();
    arm();
  }

  return {
    at(known) {
      times = known;
      arm();
    },
  };
}
