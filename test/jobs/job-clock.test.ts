import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { dayMs, hourMs, minuteMs } from '../../src/domain/clock.ts';
import { createJobClock } from '../../src/jobs/job-clock.ts';
import { createMovableClock } from '../../src/jobs/movable-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function world() {
  const clock = createMovableClock({ base: { now: () => new Date() }, offsetMs: 0 });
  const timers = createJobClock({ clock, offsetMsSql: '(select 0)' });
  const fired: string[] = [];
  return { clock, timers, fired, note: (name: string) => () => void fired.push(name) };
}

describe("pg-boss's timers in the sandbox", () => {
  it('fire in real time while nothing is moved', async () => {
    const { timers, fired, note } = world();
    timers.setTimeout(note('once'), 1_000);
    timers.setInterval(note('again'), 400);
    await vi.advanceTimersByTimeAsync(999);
    expect(fired).toEqual(['again', 'again']);
    await vi.advanceTimersByTimeAsync(1_001);
    expect(fired).toEqual(['again', 'again', 'once', 'again', 'again', 'again']);
  });

  it('that a move passed fire once, in their order, and none that it did not reach', async () => {
    const { clock, timers, fired, note } = world();
    timers.setTimeout(note('hour'), hourMs);
    timers.setInterval(note('minutes'), minuteMs);
    timers.setTimeout(note('week'), 7 * dayMs);
    clock.moveToOffset(6 * hourMs);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(5);
    expect(fired).toEqual(['minutes', 'hour']);
    await vi.advanceTimersByTimeAsync(minuteMs);
    expect(fired).toEqual(['minutes', 'hour', 'minutes']);
    clock.moveToOffset(8 * dayMs);
    await vi.advanceTimersByTimeAsync(5);
    expect(fired).toEqual(['minutes', 'hour', 'minutes', 'minutes', 'week']);
  });

  it('wait out what a move left of them', async () => {
    const { clock, timers, fired, note } = world();
    timers.setTimeout(note('hour'), hourMs);
    clock.moveToOffset(hourMs - 5_000);
    await vi.advanceTimersByTimeAsync(4_999);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(fired).toEqual(['hour']);
  });

  it('fire no more once they are cleared, also from within one', async () => {
    const { clock, timers, fired, note } = world();
    const once = timers.setTimeout(note('once'), 100);
    const again = timers.setInterval(() => {
      fired.push('again');
      timers.clearInterval(again);
    }, 50);
    timers.clearTimeout(once);
    timers.clearTimeout(once);
    timers.clearTimeout(undefined);
    clock.moveToOffset(dayMs);
    await vi.advanceTimersByTimeAsync(dayMs);
    expect(fired).toEqual(['again']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('may be longer than a machine timer can be', async () => {
    const { timers, fired, note } = world();
    timers.setTimeout(note('far'), 60 * dayMs);
    await vi.advanceTimersByTimeAsync(60 * dayMs - 1);
    expect(fired).toEqual([]);
    await vi.advanceTimersByTimeAsync(1);
    expect(fired).toEqual(['far']);
  });

  it('read the moved time', () => {
    const { clock, timers } = world();
    clock.moveToOffset(dayMs);
    expect(timers.now()).toBe(Date.now() + dayMs);
  });
});
