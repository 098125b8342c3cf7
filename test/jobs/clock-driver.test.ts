import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs, secondMs } from '../../src/domain/clock.ts';
import { AppError } from '../../src/domain/errors.ts';
import { createFakeWork, type Item, later, start } from './fake-work.ts';

const names = (done: readonly { name: string }[]) => done.map((each) => each.name);

/** A delivery that fails `times` times and comes again 12 hours after each. */
function redelivered(times: number, dueAt: Date): Item {
  return {
    name: `delivery ${times}`,
    dueAt,
    leaves: (at) => (times === 0 ? [] : [redelivered(times - 1, addMs(at, 12 * hourMs))]),
  };
}

describe('moving the clock', () => {
  it('does everything on the way in its order, each at its own time', async () => {
    const { driver, done, clock, moves } = createFakeWork(
      [
        { name: 'third', dueAt: later(3 * dayMs), takesMs: 700 },
        { name: 'first', dueAt: later(hourMs), takesMs: 20 },
        { name: 'later', dueAt: later(9 * dayMs) },
      ],
      { jobs: [{ name: 'second', dueAt: later(2 * dayMs) }] },
    );
    const moved = await driver.advanceTo(later(5 * dayMs));
    expect(names(done)).toEqual(['first', 'second', 'third']);
    const lateMs = done.map(
      ({ at }, index) => +at - +later([hourMs, 2 * dayMs, 3 * dayMs][index] ?? 0),
    );
    for (const each of lateMs) expect(each).toBeLessThanOrEqual(1);
    expect(moved.jumps).toBe(4);
    expect(moves).toEqual([{ from: start, to: later(5 * dayMs) }]);
    expect(moved.now).toEqual(later(5 * dayMs));
    expect(moved.offsetMs).toBe(clock.offsetMs);
  });

  it('does what work leaves to be done, at once or half a day later', async () => {
    const follows: Item = { name: 'event', dueAt: later(dayMs) };
    const { driver, done } = createFakeWork([
      { name: 'attempt', dueAt: later(dayMs), leaves: (at) => [{ ...follows, dueAt: at }] },
      redelivered(14, later(2 * dayMs)),
      { name: 'next day', dueAt: later(9 * dayMs + hourMs) },
    ]);
    await driver.advanceTo(later(10 * dayMs));
    const expected = Array.from({ length: 15 }, (_, index) => `delivery ${14 - index}`);
    expect(names(done)).toEqual(['attempt', 'event', ...expected, 'next day']);
  });

  it('looks at each stop, and never at the time between', async () => {
    const { driver, looks } = createFakeWork([{ name: 'far', dueAt: later(300 * dayMs) }]);
    await driver.advanceTo(later(365 * dayMs));
    // Before the first jump, at the work until it is done, and at the target: two tables each.
    expect(looks()).toBeLessThanOrEqual(2 * 6);
  });

  it('does not move, and notes no move, where that is refused', async () => {
    const refuseMove = () => {
      throw new AppError('clock_not_movable');
    };
    const { driver, clock, moves } = createFakeWork([], { refuseMove });
    await expect(driver.advanceTo(later(dayMs))).rejects.toMatchObject({
      code: 'clock_not_movable',
    });
    expect(clock.offsetMs).toBe(0);
    expect(moves).toEqual([]);
  });

  it('finishes what is due before it moves at all', async () => {
    const { driver, done } = createFakeWork([
      { name: 'overdue', dueAt: later(-hourMs), takesMs: 5 * secondMs },
      { name: 'in a minute', dueAt: later(minuteMs) },
    ]);
    await driver.advanceTo(later(hourMs));
    expect(done[0]).toEqual({ name: 'overdue', at: later(1) });
    expect(names(done)).toEqual(['overdue', 'in a minute']);
  });

  it('counts no jump where time has come by itself', async () => {
    const { driver } = createFakeWork([{ name: 'slow', dueAt: start, takesMs: 3 * secondMs }]);
    expect((await driver.advanceTo(later(2 * secondMs))).jumps).toBe(0);
  });

  it('looks again after 1, 2, 4 and more milliseconds, up to 20', async () => {
    const { driver, pauses } = createFakeWork([{ name: 'slow', dueAt: start, takesMs: 200 }]);
    await driver.advanceTo(later(hourMs));
    expect(pauses.slice(0, 7)).toEqual([1, 2, 4, 8, 16, 20, 20]);
  });

  it('does together what falls due within one grain, and never before its time', async () => {
    const seconds = [0, 4, 9, 12, 25].map((second) => dayMs + second * secondMs);
    const { driver, done } = createFakeWork(
      seconds.map((dueMs) => ({ name: String(dueMs), dueAt: later(dueMs) })),
      { grainMs: 10 * secondMs },
    );
    const moved = await driver.advanceTo(later(2 * dayMs));
    expect(moved.jumps).toBe(4);
    const startedMs = done.map(({ at }) => Math.floor((+at - +later(dayMs)) / secondMs));
    expect(startedMs).toEqual([10, 10, 10, 20, 30]);
    expect((await driver.advanceTo(later(2 * dayMs + 1))).now).toEqual(later(2 * dayMs + 1));
  });

  it('makes one advance wait for the other', async () => {
    const { driver, done } = createFakeWork([
      { name: 'day 1', dueAt: later(dayMs), takesMs: 500 },
      { name: 'day 2', dueAt: later(2 * dayMs), takesMs: 500 },
    ]);
    const [near, far, again] = await Promise.all([
      driver.advanceTo(later(1.5 * dayMs)),
      driver.advanceTo(later(3 * dayMs)),
      driver.advanceTo(later(1.5 * dayMs)),
    ]);
    expect(names(done)).toEqual(['day 1', 'day 2']);
    expect([near.jumps, far.jumps, again.jumps]).toEqual([2, 2, 0]);
    expect(+near.now).toBeLessThan(+later(2 * dayMs));
  });

  it('goes on after an advance that failed', async () => {
    let isBroken = true;
    const { driver } = createFakeWork([{ name: 'work', dueAt: start }], {
      onPause() {
        if (isBroken) throw new Error('away');
      },
    });
    await expect(driver.advanceTo(later(hourMs))).rejects.toThrow('away');
    isBroken = false;
    expect((await driver.advanceTo(later(hourMs))).jumps).toBe(1);
  });

  it('stands where another process has moved it further', async () => {
    const storedOffsetMs = () => 2 * dayMs;
    const { driver, clock } = createFakeWork([], { storedOffsetMs });
    await driver.advanceTo(later(dayMs));
    expect(clock.offsetMs).toBe(2 * dayMs);
    expect((await driver.show()).now).toEqual(later(2 * dayMs));
  });

  it('runs any work in the order of its times', async () => {
    const workOf = fc.record({
      dueMs: fc.integer({ min: 0, max: 40 * dayMs }),
      takesMs: fc.integer({ min: 1, max: 3_000 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(workOf, { maxLength: 40 }), async (all) => {
        const items = all.map(({ dueMs, takesMs }) => ({
          name: String(dueMs),
          dueAt: later(dueMs),
          takesMs,
        }));
        const { driver, done } = createFakeWork(items);
        await driver.advanceTo(later(41 * dayMs));
        expect(done).toHaveLength(all.length);
        for (const { name, at } of done) {
          // As late as the work before it took, since its time may come while that is done.
          expect(+at - +later(Number(name))).toBeGreaterThanOrEqual(0);
          expect(+at - +later(Number(name))).toBeLessThanOrEqual(3_100);
        }
        // What begins at one look may be in any order; what begins later was due later.
        const begun = done.map(({ name, at }) => [+at, Number(name)] as const);
        const dueMs = begun.sort((a, b) => a[0] - b[0] || a[1] - b[1]).map(([, due]) => due);
        expect(dueMs).toEqual(dueMs.toSorted((a, b) => a - b));
      }),
      { numRuns: 50 },
    );
  });
});

describe('an advance is refused', () => {
  it('into the past', async () => {
    const { driver, clock } = createFakeWork([]);
    await expect(driver.advanceTo(later(-minuteMs))).rejects.toMatchObject({
      code: 'invalid_request',
      detail: 'Time only moves forward, and it is 2026-03-01T09:30:00.000Z now.',
    });
    expect(clock.offsetMs).toBe(0);
  });

  it('to no time at all, or by more than ten years', async () => {
    const { driver } = createFakeWork([]);
    const refused = { code: 'invalid_request' };
    await expect(driver.advanceTo(new Date(Number.NaN))).rejects.toMatchObject(refused);
    await expect(driver.advanceTo(later(3_661 * dayMs))).rejects.toMatchObject(refused);
  });

  it('but not to the time that the caller has just read', async () => {
    const { driver } = createFakeWork([]);
    expect((await driver.advanceTo(later(-5))).jumps).toBe(0);
  });
});

describe('work that does not end', () => {
  const stuck = { name: 'stuck', dueAt: later(dayMs), takesMs: Number.POSITIVE_INFINITY };

  it('fails the advance and is named; time stays with it', async () => {
    const { driver, clock, realMs } = createFakeWork(
      [stuck, { ...stuck, name: 'also' }, { name: 'never', dueAt: later(2 * dayMs) }],
      { jobs: [{ ...stuck, dueAt: later(dayMs - 1) }] },
    );
    await expect(driver.advanceTo(later(3 * dayMs))).rejects.toMatchObject({ code: 'conflict' });
    await expect(driver.advanceTo(later(3 * dayMs))).rejects.toThrow(
      /^Time is held at 2026-03-02T09:3\d:\S+Z: work that was due at 2026-03-02T09:29:59.999Z has not finished \(1 of a-job\)\. Read/,
    );
    expect(+clock.now()).toBeLessThan(+later(dayMs + hourMs));
    expect(realMs()).toBeGreaterThan(2 * 60_000);
    expect(realMs()).toBeLessThan(2 * 61_000);
  });

  it('is told from much work of one instant, which shrinks', async () => {
    const many = Array.from({ length: 40 }, (_, index) => ({
      name: `work ${index}`,
      dueAt: later(dayMs),
      takesMs: (index + 1) * 10 * secondMs,
    }));
    const { driver, done, realMs } = createFakeWork(many);
    await driver.advanceTo(later(2 * dayMs));
    expect(done).toHaveLength(40);
    expect(realMs()).toBeGreaterThan(400 * secondMs);
  });

  it('does not keep the service from stopping', async () => {
    let pauses = 0;
    const { driver, clock } = createFakeWork([stuck], {
      onPause() {
        pauses += 1;
        if (pauses === 5) driver.stop();
      },
    });
    await expect(driver.advanceTo(later(3 * dayMs))).rejects.toMatchObject({ code: 'conflict' });
    expect(pauses).toBe(5);
    expect(+clock.now()).toBeLessThan(+later(dayMs + hourMs));
  });
});
