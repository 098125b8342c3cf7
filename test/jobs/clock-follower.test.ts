import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startClockFollower } from '../../src/jobs/clock-follower.ts';
import { createMovableClock } from '../../src/jobs/movable-clock.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function follow(readOffset: () => Promise<number>) {
  const clock = createMovableClock({ base: { now: () => new Date() }, offsetMs: 0 });
  const warnings: string[] = [];
  const log = { warn: (_: unknown, message: string) => void warnings.push(message) };
  return { clock, warnings, follower: startClockFollower({ clock, readOffset, log }) };
}

describe('the clock follower', () => {
  it('moves this process to where another one moved the stored clock, within five seconds', async () => {
    let stored = 0;
    const { clock, follower } = follow(async () => stored);
    await vi.advanceTimersByTimeAsync(10_001);
    stored = 86_400_000;
    expect(clock.offsetMs).toBe(0);
    await vi.advanceTimersByTimeAsync(5_000);
    expect(clock.offsetMs).toBe(86_400_000);
    await follower.stop();
  });

  it('looks at once where it is told of a move, and goes on looking each five seconds', async () => {
    let stored = 0;
    let reads = 0;
    const { clock, follower } = follow(async () => {
      reads += 1;
      return stored;
    });
    await vi.advanceTimersByTimeAsync(500);
    stored = 5_000;
    follower.look();
    await vi.advanceTimersByTimeAsync(0);
    expect(clock.offsetMs).toBe(5_000);
    await vi.advanceTimersByTimeAsync(50_000);
    expect(reads).toBe(11);
    await follower.stop();
  });

  it('says once that the database is away, and follows when it is back', async () => {
    let isAway = true;
    const { clock, warnings, follower } = follow(async () => {
      if (isAway) throw new Error('away');
      return 1_000;
    });
    await vi.advanceTimersByTimeAsync(25_000);
    expect(warnings).toEqual(['the clock could not be read']);
    isAway = false;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(clock.offsetMs).toBe(1_000);
    isAway = true;
    await vi.advanceTimersByTimeAsync(25_000);
    expect(warnings).toHaveLength(2);
    await follower.stop();
  });

  it('ends the read that is under way when it is stopped, and reads no more', async () => {
    let reads = 0;
    let answer: (offsetMs: number) => void = () => undefined;
    const { follower, clock } = follow(() => {
      reads += 1;
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    await vi.advanceTimersByTimeAsync(5_000);
    const stopped = follower.stop();
    answer(77);
    await stopped;
    expect(clock.offsetMs).toBe(77);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(reads).toBe(1);
  });
});
