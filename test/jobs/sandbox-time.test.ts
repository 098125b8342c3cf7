import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../src/domain/clock.ts';
import { type JobWorld, openJobWorld, recorder } from './job-world.ts';

// A month of jobs: seconds of work, many times as many on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let world: JobWorld;
beforeEach(async () => {
  world = await openJobWorld();
});
afterEach(() => world.close());

/** What the database says the time is: to every statement of pg-boss, on any connection. */
async function jobNow(): Promise<Date> {
  const [row] = await world.db.query<{ at: Date }>(
    { name: 'job_now', text: `select ${world.jobsSchema}.job_now() as at` },
    [],
  );
  return row?.at ?? new Date(0);
}

describe('jobs under a moved clock', () => {
  it('a daily job runs 28 times in 28 days, each at its hour, and time stops for no other', async () => {
    const often = recorder('often', 6 * hourMs);
    const daily = recorder('daily', dayMs);
    const { driver, clock } = await world.start([often.job, daily.job]);
    const from = clock.now();
    const moved = await driver.advanceTo(addMs(from, 28 * dayMs));

    const firstMs = (Math.floor(from.getTime() / dayMs) + 1) * dayMs;
    const lateMs = daily.runs.map((at, index) => +at - (firstMs + index * dayMs));
    expect(daily.runs).toHaveLength(28);
    expect(Math.min(...lateMs)).toBeGreaterThanOrEqual(0);
    expect(Math.max(...lateMs)).toBeLessThan(minuteMs);
    // One jump to each run, and one to the end, which is as far into its day as the beginning was: the more
    // frequent one runs at each of these, at the end only where it has fallen due since that day's first run.
    expect(moved.jumps).toBe(29);
    expect(often.runs).toHaveLength(from.getTime() % dayMs < 6 * hourMs ? 28 : 29);
  });

  it('two processes share the runs, and never run a job at once', async () => {
    const daily = recorder('daily', dayMs);
    const [one, other] = await Promise.all([world.start([daily.job]), world.start([daily.job])]);
    const target = addMs(one.clock.now(), 40 * dayMs);
    await Promise.all([one.driver.advanceTo(target), other.driver.advanceTo(target)]);
    expect(daily.runs).toHaveLength(40);
    expect(daily.maxAtOnce()).toBe(1);
    const days = daily.runs.map((at) => Math.floor(at.getTime() / dayMs));
    expect(new Set(days).size).toBe(40);
    expect([...one.lines, ...other.lines].filter(({ level }) => level !== 'info')).toEqual([]);
  });

  it('a process that only follows hears of the time that another one moved', async () => {
    const { driver, clock } = await world.start([], { work: false });
    const follower = await world.start([], { work: false });
    const heard = new Promise<void>((resolve) => follower.clock.onMoved(resolve));
    await driver.advanceTo(addMs(clock.now(), 3 * dayMs));
    await heard;
    expect(follower.clock.offsetMs).toBe(clock.offsetMs);
  });

  it('JavaScript and SQL have one time, which goes on between moves', async () => {
    const { driver, clock } = await world.start([]);
    await driver.advanceTo(addMs(clock.now(), 40 * dayMs));
    const before = clock.now();
    const between = await jobNow();
    const behind = clock.now();
    expect(between.getTime()).toBeGreaterThanOrEqual(before.getTime());
    expect(between.getTime()).toBeLessThanOrEqual(behind.getTime());
    expect(behind.getTime()).toBeGreaterThan(Date.now() + 39 * dayMs);
  });

  it('the time stays moved over a restart, and is plain for a service outside the sandbox', async () => {
    const { driver, clock, stop } = await world.start([]);
    await driver.advanceTo(addMs(clock.now(), 40 * dayMs));
    await stop();
    const again = await world.start([]);
    expect(again.clock.now().getTime()).toBeGreaterThan(Date.now() + 39 * dayMs);
    await again.stop();
    await world.start([], { sandbox: false });
    expect(Math.abs((await jobNow()).getTime() - Date.now())).toBeLessThan(minuteMs);
  });

  it('a job that fails is run again until it succeeds, and then comes round as before', async () => {
    let tries = 0;
    const runs: Date[] = [];
    const job = {
      name: 'flaky',
      everyMs: dayMs,
      async run({ at }: { readonly at: Date }) {
        tries += 1;
        if (tries <= 9) throw new Error('the disk is full');
        runs.push(at);
      },
    };
    const { driver, clock, lines } = await world.start([job]);
    await driver.advanceTo(addMs(clock.now(), 3 * dayMs));
    expect(runs).toHaveLength(3);
    const errors = lines.filter(({ level }) => level === 'error');
    expect(errors).toHaveLength(9);
    expect(errors[0]?.fields).toMatchObject({ job: 'flaky', error: 'the disk is full' });
    // Every wait is about twice the one before: nine of them take some ten minutes.
    expect((runs[0]?.getTime() ?? 0) % dayMs).toBeLessThan(hourMs);
    expect((runs[1]?.getTime() ?? 0) % dayMs).toBeLessThan(minuteMs);
  });

  it('runs that were missed while no process ran are not made up', async () => {
    const daily = recorder('daily', dayMs);
    const first = await world.start([daily.job]);
    await first.stop();
    const operator = await world.start([], { work: false });
    await operator.driver.advanceTo(addMs(operator.clock.now(), 30 * dayMs));
    expect(daily.runs).toEqual([]);
    const { driver, clock } = await world.start([daily.job]);
    await driver.advanceTo(clock.now());
    expect(daily.runs).toHaveLength(1);
    await driver.advanceTo(addMs(clock.now(), dayMs));
    expect(daily.runs).toHaveLength(2);
  });
});
