import { addMs } from '../../src/domain/clock.ts';
import { type ClockDriver, createClockDriver } from '../../src/jobs/clock-driver.ts';
import { createMovableClock, type MovableClock } from '../../src/jobs/movable-clock.ts';

export interface Item {
  readonly name: string;
  readonly dueAt: Date;
  /** Real time that it takes once it was begun; Infinity never ends. */
  readonly takesMs?: number;
  /** What its end leaves to be done. */
  leaves?(at: Date): readonly Item[];
}

export interface FakeWork {
  readonly clock: MovableClock;
  readonly driver: ClockDriver;
  /** What ended, with the time at which it began. */
  readonly done: { readonly name: string; readonly at: Date }[];
  /** The moves that were noted. */
  readonly moves: { readonly from: Date; readonly to: Date }[];
  /** How long the driver paused each time, and how often it asked what is due. */
  readonly pauses: number[];
  looks(): number;
  realMs(): number;
}

export const start = new Date('2026-03-01T09:30:00Z');

/**
 * Work that is done while the driver pauses, on a machine whose time passes only then: each item is
 * begun when it is due by the moved clock, one after the other like a row of a table.
 */
export function createFakeWork(
  items: readonly Item[],
  overrides: {
    readonly jobs?: readonly Item[];
    readonly stuckAfterMs?: number;
    readonly storedOffsetMs?: () => number;
    readonly onPause?: () => void;
    readonly refuseMove?: () => void;
    readonly grainMs?: number;
  } = {},
): FakeWork {
  const started = start.getTime();
  let realMs = 0;
  let looks = 0;
  const machine = { now: () => new Date(started + realMs) };
  const clock = createMovableClock({ base: machine, offsetMs: 0 });
  const open = new Set(items);
  const jobs = new Set(overrides.jobs ?? []);
  const begun = new Map<Item, { readonly at: Date; readonly endMs: number }>();
  const done: FakeWork['done'] = [];
  const pauses: number[] = [];

  function work(rows: Set<Item>): void {
    for (const item of [...rows].sort((a, b) => a.dueAt.getTime() - b.dueAt.getTime())) {
      const run = begun.get(item);
      if (run === undefined) {
        if (item.dueAt > clock.now()) continue;
        begun.set(item, { at: clock.now(), endMs: realMs + (item.takesMs ?? 1) });
      } else if (run.endMs <= realMs) {
        rows.delete(item);
        done.push({ name: item.name, at: run.at });
        for (const next of item.leaves?.(clock.now()) ?? []) rows.add(next);
      }
    }
  }

  const moves: { readonly from: Date; readonly to: Date }[] = [];
  const earliest = (rows: Set<Item>) => async () => {
    looks += 1;
    const times = [...rows].map((item) => item.dueAt.getTime());
    return times.length === 0 ? undefined : new Date(Math.min(...times));
  };

  const driver = createClockDriver({
    clock,
    base: machine,
    elapsedMs: () => realMs,
    earliestDue: earliest(open),
    earliestJobAt: earliest(jobs),
    countDue: async (at) => ({
      payments: [...open].filter((item) => item.dueAt <= at).length,
      'a-job': [...jobs].filter((item) => item.dueAt <= at).length,
    }),
    countPlanned: async (to) => ({
      attempts: [...open].filter((item) => item.dueAt <= to).length,
      deliveries: 0,
    }),
    refuseMove: async () => overrides.refuseMove?.(),
    noteMove: async (move) => void moves.push(move),
    writeOffset: async (offsetMs) => Math.max(offsetMs, overrides.storedOffsetMs?.() ?? 0),
    async pause(ms) {
      pauses.push(ms);
      realMs += ms;
      overrides.onPause?.();
      work(open);
      work(jobs);
    },
    log: { info() {} },
    grainMs: () => overrides.grainMs ?? 1,
    stuckAfterMs: overrides.stuckAfterMs ?? 60_000,
  });
  return { clock, driver, done, moves, pauses, looks: () => looks, realMs: () => realMs };
}

export const later = (ms: number): Date => addMs(start, ms);
