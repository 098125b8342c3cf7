import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs } from '../../src/domain/clock.ts';
import { type KnownDue, startDueWatch } from '../../src/jobs/due-watch.ts';

const start = new Date('2026-03-01T12:00:00.000Z');
beforeEach(() => void vi.useFakeTimers({ now: start }));
afterEach(() => void vi.useRealTimers());

/** A watch of one kind of work; each ring takes what is due by then, as a claim does. */
function watch(dueMs: readonly number[], { most = 50 } = {}) {
  let due = [...dueMs];
  let fault: Error | undefined;
  const looks: number[] = [];
  const rings: number[] = [];
  const taken: { readonly dueMs: number; readonly atMs: number }[] = [];
  const warnings: string[] = [];
  const elapsed = () => Date.now() - start.getTime();
  const own = startDueWatch<'things'>(
    {
      clock: { now: () => new Date() },
      log: { warn: (_fields, message) => void warnings.push(message) },
      async readNextDue({ until }): Promise<{ readonly things: KnownDue }> {
        looks.push(elapsed());
        if (fault !== undefined) throw fault;
        const by = due.filter((each) => addMs(start, each).getTime() <= until.getTime());
        const at = by
          .sort((a, b) => a - b)
          .slice(0, most)
          .map((each) => addMs(start, each));
        return { things: { at, isAll: at.length < most } };
      },
    },
    {
      things() {
        rings.push(elapsed());
        taken.push(
          ...due.filter((ms) => ms <= elapsed()).map((ms) => ({ dueMs: ms, atMs: elapsed() })),
        );
        due = due.filter((ms) => ms > elapsed());
      },
    },
  );
  return {
    own,
    looks,
    rings,
    taken,
    warnings,
    add: (...ms: readonly number[]) => void due.push(...ms),
    fail: (error: Error | undefined) => {
      fault = error;
    },
  };
}

describe('the watch of due work', () => {
  it('rings when work falls due, and looks once a second', async () => {
    const world = watch([300, 2_700]);
    await vi.advanceTimersByTimeAsync(3_999);
    expect(world.taken.map(({ dueMs }) => dueMs)).toEqual([300, 2_700]);
    for (const { dueMs, atMs } of world.taken) expect(atMs - dueMs).toBeLessThan(5);
    expect(world.looks).toEqual([0, 1_000, 2_000, 3_000]);
    expect(world.rings).toHaveLength(2);
    await world.own.stop();
  });

  it('looks each three seconds once a minute had nothing, misses nothing, and then each second again', async () => {
    const world = watch([]);
    await vi.advanceTimersByTimeAsync(59_999);
    expect(world.looks).toHaveLength(60);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(world.looks.slice(60)).toEqual([
      60_000, 63_000, 66_000, 69_000, 72_000, 75_000, 78_000, 81_000, 84_000, 87_000,
    ]);
    world.add(92_900, 95_500);
    await vi.advanceTimersByTimeAsync(9_999);
    expect(world.taken.map(({ dueMs }) => dueMs)).toEqual([92_900, 95_500]);
    for (const { dueMs, atMs } of world.taken) expect(atMs - dueMs).toBeLessThan(5);
    expect(world.looks.slice(70)).toEqual([
      90_000, 93_000, 94_000, 95_000, 96_000, 97_000, 98_000, 99_000,
    ]);
    await world.own.stop();
  });

  it('rings nobody while nothing is due', async () => {
    const world = watch([86_400_000]);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(world.rings).toEqual([]);
    await world.own.stop();
  });

  it('rings at its next look for what was written since its last one, with a due time in the past', async () => {
    const world = watch([]);
    await vi.advanceTimersByTimeAsync(400);
    world.add(100);
    await vi.advanceTimersByTimeAsync(700);
    expect(world.taken).toEqual([{ dueMs: 100, atMs: 1_000 }]);
    await world.own.stop();
  });

  it('rings once for what falls due within a tenth of a second, and is late by no more', async () => {
    const world = watch(Array.from({ length: 50 }, (_, n) => 10 + 20 * n));
    await vi.advanceTimersByTimeAsync(2_000);
    expect(world.taken).toHaveLength(50);
    for (const { dueMs, atMs } of world.taken) expect(atMs - dueMs).toBeLessThanOrEqual(105);
    expect(world.rings.length).toBeLessThan(15);
    await world.own.stop();
  });

  it('looks again before a second is over where there was more than one look tells', async () => {
    const world = watch(
      Array.from({ length: 90 }, (_, n) => 10 * n),
      { most: 20 },
    );
    await vi.advanceTimersByTimeAsync(1_500);
    expect(world.taken).toHaveLength(90);
    for (const { dueMs, atMs } of world.taken) expect(atMs - dueMs).toBeLessThanOrEqual(210);
    await world.own.stop();
  });

  it('says once that it cannot look, and looks on', async () => {
    const world = watch([3_500]);
    world.fail(new Error('away'));
    await vi.advanceTimersByTimeAsync(3_100);
    expect(world.warnings).toEqual(['due work could not be looked for']);
    world.fail(undefined);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(world.taken).toMatchObject([{ dueMs: 3_500 }]);
    await world.own.stop();
  });

  it('rings at once when the clock is set back an hour after a ring', async () => {
    const world = watch([300]);
    await vi.advanceTimersByTimeAsync(310);
    expect(world.rings).toHaveLength(1);
    vi.setSystemTime(addMs(start, -3_600_000));
    world.add(-3_600_000 + 100);
    await vi.advanceTimersByTimeAsync(1_500);
    expect(world.taken.at(-1)).toMatchObject({ dueMs: -3_600_000 + 100 });
    await world.own.stop();
  });

  it('rings nobody once it was stopped', async () => {
    const world = watch([500]);
    await vi.advanceTimersByTimeAsync(100);
    await world.own.stop();
    await vi.advanceTimersByTimeAsync(10_000);
    expect(world.rings).toEqual([]);
    expect(world.looks).toEqual([0]);
  });
});
