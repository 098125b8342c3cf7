import { expect, it, onTestFinished, vi } from 'vitest';
import type { HeldBack } from '../../../src/domain/held-back.ts';
import { type ClockState, startClockKeeper } from '../../../src/jobs/time/clock-keeper.ts';
import type { DatabaseClock } from '../../../src/jobs/time/database-clock.ts';
import type { Jump } from '../../../src/jobs/time/jump-watch.ts';

/** A keeper of a clock that does as the test says, with time that the test lets pass. */
function keeper() {
  vi.useFakeTimers();
  const lines: string[] = [];
  const states: ClockState[] = [];
  let heldBack: HeldBack | undefined;
  let fault: Error | undefined;
  let measured = 0;
  let jumped: (jump: Jump) => void = () => undefined;
  const clock: DatabaseClock = {
    now: () => new Date(0),
    epoch: () => 0,
    heldBack: () => heldBack,
    readings: () => ({ aheadMs: 0, uncertaintyMs: 1 }),
    async measure() {
      measured += 1;
      if (fault !== undefined) throw fault;
    },
    onJump(listener) {
      jumped = listener;
    },
  };
  const write = (_fields: object, message: string) => void lines.push(message);
  const own = startClockKeeper({
    clock,
    log: { info: write, warn: write },
    report: (state) => void states.push(state),
  });
  onTestFinished(async () => {
    await own.stop();
    vi.useRealTimers();
  });
  return {
    own,
    lines,
    states,
    measured: () => measured,
    hold: (code: HeldBack['code'] | undefined) => {
      heldBack = code === undefined ? undefined : { code, message: code };
    },
    fail: (error: Error | undefined) => {
      fault = error;
    },
    jump: () => jumped({ byMs: 90_000, afterMs: 10 }),
  };
}

it('measures at once, and then every two seconds', async () => {
  const world = keeper();
  await vi.advanceTimersByTimeAsync(6_000);
  expect(world.measured()).toBe(4);
  expect(world.lines).toEqual([]);
});

it('writes one line when work is held back and one when it is taken again', async () => {
  const world = keeper();
  world.hold('clock_differs');
  await vi.advanceTimersByTimeAsync(5_000);
  world.hold('clock_unmeasured');
  await vi.advanceTimersByTimeAsync(5_000);
  world.hold(undefined);
  await vi.advanceTimersByTimeAsync(5_000);
  expect(world.lines).toEqual(['no work is taken', 'no work is taken', 'work is taken again']);
  expect(world.states.at(-1)?.heldBack).toBeUndefined();
});

it('measures at once after a jump', async () => {
  const world = keeper();
  await vi.advanceTimersByTimeAsync(10);
  world.jump();
  await vi.advanceTimersByTimeAsync(1);
  expect(world.measured()).toBe(2);
  expect(world.lines).toEqual(["this machine's clock jumped; work taken before is dropped"]);
});

it('goes on where the database does not answer, and says so once', async () => {
  const world = keeper();
  world.fail(new Error('away'));
  await vi.advanceTimersByTimeAsync(4_500);
  expect(world.lines).toEqual(['the clock could not be measured']);
  world.fail(undefined);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(world.measured()).toBe(4);
});
