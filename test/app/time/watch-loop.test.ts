import { expect, onTestFinished, test, vi } from 'vitest';
import { watchLoop } from '../../../src/app/time/watch-loop.ts';
import { parseConfig } from '../../../src/config.ts';

/** The watch of a process whose timers are as late as the test says. */
function watched() {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  let lateMs = 0;
  const elapsedMs = () => performance.now() + lateMs;
  const config = parseConfig({ SHED_AT_DELAY: '100ms' });
  const setLoad = vi.fn<() => void>();
  const watch = watchLoop({ config, elapsedMs }, { setLoad });
  /** How long it was to the next look, of which the timer was so late. */
  const nextLook = (late = 0): number => {
    const before = elapsedMs();
    lateMs += late;
    vi.advanceTimersToNextTimer();
    return Math.round(elapsedMs() - before - late);
  };
  const looks = (count: number, late = 0) => Array.from({ length: count }, () => nextLook(late));
  return { ...watch, setLoad, nextLook, looks };
}

/** One that nobody went by for a second. */
function atRest() {
  const watch = watched();
  watch.looks(20);
  return watch;
}

const each = (count: number, ms: number) => Array.from({ length: count }, () => ms);

test('the loop is looked at twenty times a second while somebody goes by its load', () => {
  const { load, looks, setLoad } = watched();
  for (let second = 0; second < 5; second += 1) {
    load.givesUp('read');
    expect(looks(20)).toEqual(each(20, 50));
  }
  expect(setLoad).toHaveBeenCalledTimes(100);
});

test('after a second in which nobody did, it is looked at once a second', () => {
  expect(atRest().looks(10)).toEqual(each(10, 1_000));
});

test('whoever goes by it has it looked at twenty times a second from then on', () => {
  const { load, looks } = atRest();
  vi.advanceTimersByTime(300);
  load.givesUp('webhook');
  expect(looks(20)).toEqual(each(20, 50));
  expect(looks(2)).toEqual([1_000, 1_000]);
});

test('what comes after a rest is given up as fast as ever', () => {
  const { load, looks } = atRest();
  expect(load.givesUp('read')).toBe(false);
  looks(9, 200);
  expect(load.givesUp('read')).toBe(false);
  looks(1, 200);
  expect(load.givesUp('read')).toBe(true);
});

test('a late timer ends the rest: work that nobody asked for is seen too', () => {
  const { load, nextLook, looks } = atRest();
  expect(nextLook(20)).toBe(1_000);
  expect(nextLook(21)).toBe(1_000);
  expect(looks(11, 60)).toEqual(each(11, 50));
  expect(Math.round(load.delayMs)).toBe(60);
});

test('while something is given up it does not rest', () => {
  const { load, looks } = watched();
  looks(20, 800);
  expect(load.level).toBe(4);
  expect(looks(11)).toEqual(each(11, 50));
  expect(load.level).toBe(0);
});

test('it ends', async () => {
  const { close } = watched();
  await close();
  expect(vi.getTimerCount()).toBe(0);
});
