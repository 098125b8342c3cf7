import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type Entry, Lanes } from '../../../src/http/bounds/lanes.ts';

const here = () => false;

function lanesAt(settings: { inFlight?: number; perSecond?: number; waiting?: number }) {
  const now = { ms: 0 };
  const full = { inFlight: 100, perSecond: 1_000, waiting: 100, ...settings };
  return { now, lanes: new Lanes(full, () => now.ms) };
}

/** The entries that are there, in the order in which they came. */
function entered(promises: readonly Promise<Entry>[]) {
  const seen: (readonly [number, Entry])[] = [];
  promises.forEach((promise, n) => void promise.then((entry) => seen.push([n, entry])));
  return seen;
}

test('a sender has so many at once; the next begins when one leaves', async () => {
  const { lanes } = lanesAt({ inFlight: 2 });
  const seen = entered([1, 2, 3, 4].map(() => lanes.enter('a', here)));
  await setImmediate();
  expect(seen).toEqual([
    [0, 'entered'],
    [1, 'entered'],
  ]);
  lanes.leave('a');
  await setImmediate();
  expect(seen.at(-1)).toEqual([2, 'entered']);
  expect(seen).toHaveLength(3);
});

test('nobody waits for another sender', async () => {
  const { lanes } = lanesAt({ inFlight: 1 });
  await lanes.enter('a', here);
  void lanes.enter('a', here);
  expect(await lanes.enter('b', here)).toBe('entered');
});

test('beyond its line a sender is refused, and a gone one makes room', async () => {
  const { lanes } = lanesAt({ inFlight: 1, waiting: 1 });
  let isGone = false;
  await lanes.enter('a', here);
  const second = lanes.enter('a', () => isGone);
  expect(await lanes.enter('a', here)).toBe('full');
  isGone = true;
  const third = lanes.enter('a', here);
  expect(await second).toBe('gone');
  lanes.leave('a');
  expect(await third).toBe('entered');
});

test('a sender begins so many in a second, after as many at once', async () => {
  vi.useFakeTimers();
  try {
    const { now, lanes } = lanesAt({ perSecond: 10 });
    const seen = entered(Array.from({ length: 15 }, () => lanes.enter('a', here)));
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toHaveLength(10);
    for (let ms = 0; ms < 300; ms += 100) {
      now.ms += 100;
      await vi.advanceTimersByTimeAsync(100);
    }
    expect(seen).toHaveLength(13);
  } finally {
    vi.useRealTimers();
  }
});

test('whose turn comes after they left never enters', async () => {
  const { lanes } = lanesAt({ inFlight: 1 });
  let isGone = false;
  await lanes.enter('a', here);
  const second = lanes.enter('a', () => isGone);
  const third = lanes.enter('a', here);
  isGone = true;
  lanes.leave('a');
  expect(await second).toBe('gone');
  expect(await third).toBe('entered');
});

test('a request may weigh as much as several, and no more than a lane ever holds', async () => {
  vi.useFakeTimers();
  try {
    const { now, lanes } = lanesAt({ perSecond: 10 });
    const heavy = (weight: number) => lanes.enter('a', here, weight);
    const seen = entered([heavy(8), heavy(8), heavy(1_000)]);
    await vi.advanceTimersByTimeAsync(0);
    expect(seen).toHaveLength(1);
    now.ms += 600;
    await vi.advanceTimersByTimeAsync(600);
    expect(seen).toHaveLength(2);
    now.ms += 1_000;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(seen).toHaveLength(3);
  } finally {
    vi.useRealTimers();
  }
});
