import { describe, expect, it } from 'vitest';
import { createMovableClock } from '../../src/jobs/movable-clock.ts';

function world(offsetMs = 0) {
  let realMs = Date.parse('2026-03-01T00:00:00Z');
  const clock = createMovableClock({ base: { now: () => new Date(realMs) }, offsetMs });
  const pass = (ms: number) => {
    realMs += ms;
  };
  return { clock, pass };
}

describe('the movable clock', () => {
  it('runs with the machine, the stored offset before it', () => {
    const { clock, pass } = world(90_000);
    expect(clock.now()).toEqual(new Date('2026-03-01T00:01:30Z'));
    pass(500);
    expect(clock.now()).toEqual(new Date('2026-03-01T00:01:30.500Z'));
  });

  it('moves to a time, and goes on from there', () => {
    const { clock, pass } = world();
    clock.moveTo(new Date('2026-03-05T00:00:00Z'));
    pass(1);
    expect(clock.now()).toEqual(new Date('2026-03-05T00:00:00.001Z'));
    expect(clock.offsetMs).toBe(4 * 86_400_000);
  });

  it('never goes back', () => {
    const { clock } = world(1_000);
    clock.moveToOffset(999);
    clock.moveTo(new Date('2020-01-01T00:00:00Z'));
    expect(clock.offsetMs).toBe(1_000);
  });

  it('tells of each move once, when it is made', () => {
    const { clock } = world();
    const heard: number[] = [];
    clock.onMoved(() => heard.push(clock.offsetMs));
    clock.moveToOffset(5);
    clock.moveToOffset(5);
    clock.moveToOffset(7);
    expect(heard).toEqual([5, 7]);
  });
});
