import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { createDraws } from '../../src/faults/schedule/draws.ts';
import { createEventQueue } from '../../src/faults/schedule/event-queue.ts';
import { createMachine } from '../../src/faults/schedule/machine.ts';
import { Scheduler } from '../../src/faults/schedule/scheduler.ts';
import { createTrace } from '../../src/faults/schedule/trace.ts';
import { installVirtualTimers } from '../../src/faults/schedule/virtual-timers.ts';

const idle = async () => undefined;

function newScheduler() {
  const lines: string[] = [];
  const trace = createTrace(0, (line) => lines.push(line));
  return { scheduler: new Scheduler(0, trace), trace, lines };
}

describe('the event queue', () => {
  test('gives the earliest first, and of two at one instant the one that came first', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 20 })), (times) => {
        const queue = createEventQueue<{ atMs: number; order: number }>();
        for (const [order, atMs] of times.entries()) queue.push({ atMs, order });
        const out = times.map(() => queue.pop());
        const wanted = times
          .map((atMs, order) => ({ atMs, order }))
          .sort((a, b) => a.atMs - b.atMs || a.order - b.order);
        expect(out).toEqual(wanted);
        expect(queue.pop()).toBeUndefined();
      }),
    );
  });
});

describe('the scheduler', () => {
  test('runs one thing at a time, and lets what it set off come to rest', async () => {
    const { scheduler } = newScheduler();
    const seen: string[] = [];
    scheduler.after(5, async () => {
      seen.push('first');
      await new Promise(setImmediate);
      await new Promise(setImmediate);
      seen.push('its end');
    });
    scheduler.after(5, () => void seen.push('second'));
    await scheduler.runUntil(10, idle);
    expect(seen).toEqual(['first', 'its end', 'second']);
    expect(scheduler.nowMs()).toBe(10);
  });

  test('nothing happens to who died, and who is held up goes on later', async () => {
    const { scheduler } = newScheduler();
    const dead = { isAlive: false, heldUntilMs: 0 };
    const held = { isAlive: true, heldUntilMs: 50 };
    const seen: number[] = [];
    scheduler.after(5, () => void seen.push(-1), dead);
    scheduler.after(6, () => void seen.push(scheduler.nowMs()), held);
    const cancelled = scheduler.after(7, () => void seen.push(-2), held);
    scheduler.after(20, () => cancelled.cancel());
    await scheduler.runUntil(100, idle);
    expect(seen).toEqual([50]);
  });

  test("timers of a simulated process go by the simulated time, everybody else's do not", async () => {
    const { scheduler } = newScheduler();
    const remove = installVirtualTimers(scheduler);
    try {
      const machine = createMachine(scheduler, { name: 'w1', offsetMs: 3_600_000, drift: 0 });
      const at = machine.run(
        () => new Promise<Date>((done) => setTimeout(() => done(machine.wall.now()), 86_400_000)),
      );
      await scheduler.runUntil(2 * 86_400_000, idle);
      expect((await at).getTime()).toBe(86_400_000 + 3_600_000);
      await new Promise((done) => setTimeout(done, 1));
    } finally {
      remove();
    }
  });
});

describe('draws', () => {
  test('are the same for the same seed, and a fork takes nothing from them', () => {
    fc.assert(
      fc.property(fc.nat(), (seed) => {
        const [one, other] = [createDraws(seed), createDraws(seed)];
        other.fork('a part').unit();
        expect(one.bytes(8)).toEqual(other.bytes(8));
        expect(one.fork('a part').unit()).toBe(other.fork('a part').unit());
      }),
    );
  });

  test('whole numbers reach both ends', () => {
    const draws = createDraws(1);
    const seen = new Set(Array.from({ length: 200 }, () => draws.whole(1, 3)));
    expect([...seen].sort()).toEqual([1, 2, 3]);
  });
});
