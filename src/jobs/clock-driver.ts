import { type Clock, dayMs, earlierOf, secondMs } from '../domain/clock.ts';
import { AppError } from '../domain/errors.ts';
import type { AdvanceView, ClockApi, PlannedWork } from '../recovery/clock-api.ts';
import type { MovableClock } from './movable-clock.ts';

export interface ClockDriverDeps {
  readonly clock: MovableClock;
  /** The engine's time without the offset. */
  readonly base: Clock;
  /** Real time, by which stuck work is told. */
  readonly elapsedMs: () => number;
  /** The earliest time that work in the tables is due at; what is leased counts until it is done. */
  earliestDue(): Promise<Date | undefined>;
  /** The same of background jobs. */
  earliestJobAt(): Promise<Date | undefined>;
  /** How much work is due at `at` or before, or being done, by its name. */
  countDue(at: Date): Promise<Readonly<Record<string, number>>>;
  /** Attempts and webhooks that are planned for `to` or before. */
  countPlanned(to: Date): Promise<PlannedWork>;
  /** Rejects where time may not be moved. */
  refuseMove(): Promise<void>;
  /** Stores that time is about to be moved: nothing moves unnoted. */
  noteMove(move: { readonly from: Date; readonly to: Date }): Promise<void>;
  /** Stores the offset where it is larger than the stored one; the one that then stands. */
  writeOffset(offsetMs: number): Promise<number>;
  pause(durationMs: number): Promise<void>;
  readonly log: { info(fields: Readonly<Record<string, unknown>>, message: string): void };
  /**
   * Real time without any progress after which work is taken for stuck. Longer than the leases: work
   * of a process that was killed rests until its lease ends.
   */
  readonly stuckAfterMs: number;
  /**
   * Jumps go to the last moment of the stretch of this length in which something is due, instead of to
   * the moment itself: what falls due within it is done together, and not waited for in real time. In
   * simulations it is as long as the world's own steps.
   */
  grainMs(): number;
}

export interface ClockDriver extends ClockApi {
  /** Ends an advance that is under way, at its next look; the clock stays where it is. */
  stop(): void;
}

/** Time has run on a little since a caller read the clock, so the present is never in the past. */
const lateMs = secondMs;
/** Years of nothing are no test; the clock cannot be moved back after a slip of the hand. */
const farthestMs = 3_660 * dayMs;

/** Waits between two looks whether all is done. Most work takes milliseconds. */
const firstPauseMs = 1;
const longestPauseMs = 20;

/**
 * Moves the sandbox's clock: to the end of the stretch in which anything is due next, waits until nothing is due,
 * and so on up to the target. So everything happens at its own time and in its order, to the grain, however far
 * apart, and nothing is looked for in between. Time runs on while it waits, and work that arrives
 * meanwhile is waited for too.
 */
export function createClockDriver(deps: ClockDriverDeps): ClockDriver {
  const { clock } = deps;
  let isStopped = false;
  let last: Promise<unknown> = Promise.resolve();
  const isEnding = (): boolean => isStopped;
  const view = (): { now: Date; offsetMs: number } => ({
    now: clock.now(),
    offsetMs: clock.offsetMs,
  });

  async function advance(to: Date): Promise<AdvanceView> {
    const startedMs = deps.elapsedMs();
    let jumps = 0;
    for (;;) {
      const nextAt = await untilNothingIsDue(deps, isEnding);
      if (clock.now().getTime() >= to.getTime()) break;
      await jump(deps, nextAt === undefined ? to : earlierOf(grained(deps, nextAt), to));
      jumps += 1;
    }
    const tookMs = Math.round(deps.elapsedMs() - startedMs);
    deps.log.info({ to, jumps, tookMs }, 'the clock was moved');
    return { ...view(), jumps };
  }

  return {
    show: async () => view(),
    nextEventAt: () => deps.earliestDue(),
    countPlanned: (to) => deps.countPlanned(to),
    async advanceTo(to) {
      const from = clock.now();
      refuseTarget(to, from);
      await deps.refuseMove();
      await deps.noteMove({ from, to });
      // One at a time: the second goes on from where the first one ends.
      const mine = last.then(() => advance(to));
      last = mine.catch(() => undefined);
      return mine;
    },
    stop() {
      isStopped = true;
    },
  };
}

function grained({ grainMs }: ClockDriverDeps, at: Date): Date {
  const lengthMs = grainMs();
  return new Date((Math.floor(at.getTime() / lengthMs) + 1) * lengthMs - 1);
}

function refuseTarget(to: Date, now: Date): void {
  const byMs = to.getTime() - now.getTime();
  if (byMs >= -lateMs && byMs <= farthestMs) return;
  throw new AppError(
    'invalid_request',
    byMs < 0
      ? `Time only moves forward, and it is ${now.toISOString()} now.`
      : 'Time can be moved by at most ten years.',
  );
}

/** The database first: by the time this process acts on the new time, every statement has it. */
async function jump(deps: ClockDriverDeps, at: Date): Promise<void> {
  const offsetMs = at.getTime() - deps.base.now().getTime();
  deps.clock.moveToOffset(await deps.writeOffset(offsetMs));
}

/** Waits until no work is due at or before now; when the next work is. */
async function untilNothingIsDue(
  deps: ClockDriverDeps,
  isEnding: () => boolean,
): Promise<Date | undefined> {
  const watch = createStuckWatch(deps);
  for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(2 * pauseMs, longestPauseMs)) {
    if (isEnding())
      throw new AppError('conflict', 'The service is shutting down; time was not moved.');
    const dueAt = await earliestOfAll(deps);
    if (dueAt === undefined || dueAt.getTime() > deps.clock.now().getTime()) return dueAt;
    await watch(dueAt);
    await deps.pause(pauseMs);
  }
}

async function earliestOfAll(deps: ClockDriverDeps): Promise<Date | undefined> {
  const [workAt, jobAt] = await Promise.all([deps.earliestDue(), deps.earliestJobAt()]);
  if (workAt === undefined || jobAt === undefined) return workAt ?? jobAt;
  return earlierOf(workAt, jobAt);
}

/**
 * A watch over work that is waited for. It throws when neither the earliest due time nor the amount
 * of due work has changed for the whole time: much work of one instant is not stuck while it shrinks.
 */
function createStuckWatch(deps: ClockDriverDeps): (dueAt: Date) => Promise<void> {
  const { elapsedMs, clock } = deps;
  let seenMs: number | undefined;
  let sinceMs = 0;
  let words: string | undefined;
  return async (dueAt) => {
    const realMs = elapsedMs();
    if (dueAt.getTime() !== seenMs) {
      seenMs = dueAt.getTime();
      sinceMs = realMs;
      words = undefined;
      return;
    }
    // Two counts, half the time apart: the first one only when half of it has gone by.
    if (realMs - sinceMs < deps.stuckAfterMs / 2) return;
    const now = clock.now();
    const before = words;
    words = asText(await deps.countDue(dueAt));
    if (words === before) {
      throw new AppError(
        'conflict',
        `Time is held at ${now.toISOString()}: work that was due at ${dueAt.toISOString()} has not finished (${words}).`,
      );
    }
    sinceMs = realMs;
  };
}

function asText(counts: Readonly<Record<string, number>>): string {
  const some = Object.entries(counts).filter(([, count]) => count > 0);
  if (some.length === 0) return 'unknown work';
  return some.map(([name, count]) => `${count} of ${name}`).join(', ');
}
