import { describe, expect, it } from 'vitest';
import { createDatabaseClock } from '../../../src/jobs/time/database-clock.ts';

const start = Date.parse('2026-03-01T12:00:00.000Z');
const restMs = 60_000;

/** A machine and a database whose clocks the test moves; a question takes as long as it says. */
function world(change: { wallAheadMs?: number; roundTripMs?: number } = {}) {
  let monoMs = 5_000;
  let wallMs = start + (change.wallAheadMs ?? 0);
  let databaseMs = start;
  let roundTripMs = change.roundTripMs ?? 2;
  let fault: Error | undefined;
  let duringQuestion = () => {};
  function pass(durationMs: number): void {
    monoMs += durationMs;
    wallMs += durationMs;
    databaseMs += durationMs;
  }
  const clock = createDatabaseClock({
    wall: { now: () => new Date(wallMs) },
    elapsedMs: () => monoMs,
    async askTime() {
      pass(roundTripMs / 2);
      if (fault !== undefined) throw fault;
      duringQuestion();
      const told = databaseMs;
      pass(roundTripMs / 2);
      return told;
    },
    restMs,
  });
  return {
    clock,
    pass,
    databaseNow: () => databaseMs,
    setWall: (byMs: number) => {
      wallMs += byMs;
    },
    setDatabase: (byMs: number) => {
      databaseMs += byMs;
    },
    /** The machine is suspended: its wall clock and the database's go on, its monotonic one does not. */
    suspend(durationMs: number) {
      wallMs += durationMs;
      databaseMs += durationMs;
    },
    slow: (ms: number) => {
      roundTripMs = ms;
    },
    fail: (error: Error | undefined) => {
      fault = error;
    },
    during: (action: () => void) => {
      duringQuestion = action;
    },
  };
}

/** Lets time pass as a keeper does, who measures every second. */
async function run(own: ReturnType<typeof world>, seconds: number): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    own.pass(1_000);
    await own.clock.measure();
  }
}

describe('the time', () => {
  it('is the database’s, whatever the machine’s own clock says', async () => {
    const own = world({ wallAheadMs: 130_000 });
    await own.clock.measure();
    expect(Math.abs(own.clock.now().getTime() - own.databaseNow())).toBeLessThanOrEqual(2);
  });

  it('is carried by the monotonic clock between two measurements', async () => {
    const own = world();
    await own.clock.measure();
    own.pass(20_000);
    own.setWall(900);
    expect(Math.abs(own.clock.now().getTime() - own.databaseNow())).toBeLessThanOrEqual(2);
  });

  it('stays with the exact measurement when a slow one says nothing else', async () => {
    const own = world({ roundTripMs: 2 });
    await own.clock.measure();
    own.slow(300);
    await run(own, 3);
    expect(own.clock.readings().uncertaintyMs).toBeLessThan(5);
  });

  it('follows the database’s clock where that was set', async () => {
    const own = world();
    await run(own, 2);
    own.setDatabase(-700);
    await run(own, 1);
    expect(Math.abs(own.clock.now().getTime() - own.databaseNow())).toBeLessThanOrEqual(2);
  });
});

describe('a process holds back', () => {
  it('while its machine’s clock is more than 2 s from the database’s, and says how far', async () => {
    const own = world({ wallAheadMs: 2_100 });
    await own.clock.measure();
    expect(own.clock.heldBack()).toMatchObject({
      code: 'clock_differs',
      message: expect.stringContaining('2.1 s ahead of'),
    });
    const behind = world({ wallAheadMs: -3_000 });
    await behind.clock.measure();
    expect(behind.clock.heldBack()?.message).toContain('3.0 s behind');
    const near = world({ wallAheadMs: 1_900 });
    await near.clock.measure();
    expect(near.clock.heldBack()).toBeUndefined();
  });

  it('where the distance may be more than 2 s, counting what is not known', async () => {
    const own = world({ wallAheadMs: 1_900, roundTripMs: 400 });
    await own.clock.measure();
    expect(own.clock.heldBack()?.code).toBe('clock_differs');
  });

  it('where the database answers too slowly to tell the time', async () => {
    const own = world({ roundTripMs: 1_200 });
    await own.clock.measure();
    expect(own.clock.heldBack()?.code).toBe('clock_unmeasured');
    own.slow(2);
    await own.clock.measure();
    expect(own.clock.heldBack()).toBeUndefined();
  });

  it('once nothing was measured for 30 s, and no longer once something was', async () => {
    const own = world();
    await own.clock.measure();
    own.fail(new Error('away'));
    for (let second = 0; second < 29; second += 1) {
      own.pass(1_000);
      expect(own.clock.heldBack()).toBeUndefined();
      await expect(own.clock.measure()).rejects.toThrow('away');
    }
    own.pass(1_001);
    expect(own.clock.heldBack()?.code).toBe('clock_unmeasured');
    own.fail(undefined);
    await own.clock.measure();
    expect(own.clock.heldBack()).toBeUndefined();
  });

  it('until its clock is clearly near again', async () => {
    const own = world({ wallAheadMs: 2_100 });
    await own.clock.measure();
    own.clock.heldBack();
    own.setWall(-150);
    expect(own.clock.heldBack()?.code).toBe('clock_differs');
    own.setWall(-250);
    expect(own.clock.heldBack()).toBeUndefined();
  });
});

describe('a jump', () => {
  it('of the wall clock begins an epoch, and nothing is taken until all that was sent has ended', async () => {
    const own = world();
    await own.clock.measure();
    own.suspend(600_000);
    expect(own.clock.epoch()).toBe(1);
    expect(own.clock.heldBack()?.code).toBe('clock_jumped');
    await own.clock.measure();
    expect(Math.abs(own.clock.now().getTime() - own.databaseNow())).toBeLessThanOrEqual(2);
    expect(own.clock.heldBack()?.code).toBe('clock_jumped');
    await run(own, restMs / 1_000);
    expect(own.clock.heldBack()).toBeUndefined();
    expect(own.clock.epoch()).toBe(1);
  });

  it('is a standstill of more than 5 s too, after which a measurement is enough', async () => {
    const own = world();
    await own.clock.measure();
    own.pass(5_001);
    expect(own.clock.heldBack()?.code).toBe('clock_jumped');
    expect(own.clock.epoch()).toBe(1);
    await own.clock.measure();
    expect(own.clock.heldBack()).toBeUndefined();
  });

  it('during a measurement makes that one worth nothing', async () => {
    const own = world();
    await own.clock.measure();
    own.during(() => own.suspend(600_000));
    await own.clock.measure();
    expect(own.clock.heldBack()?.message).toContain('being measured again');
  });

  it('is none where a clock is slewed, however long', async () => {
    const own = world();
    for (let second = 0; second < 3_600; second += 1) {
      own.setWall(0.5);
      own.setDatabase(0.5);
      await run(own, 1);
    }
    expect(own.clock.epoch()).toBe(0);
    expect(own.clock.heldBack()).toBeUndefined();
  });

  it('is told to those who listen', async () => {
    const own = world();
    const heard: unknown[] = [];
    own.clock.onJump((jump) => heard.push(jump));
    own.pass(1_000);
    own.setWall(-90_000);
    own.clock.epoch();
    expect(heard).toEqual([{ byMs: -90_000, afterMs: 1_000 }]);
  });
});
