import { setImmediate } from 'node:timers/promises';
import { expect, test, vi } from 'vitest';
import { type Entry, Shares } from '../../../src/store/pool/shares.ts';

const waitMs = 5_000;
const sharesOf = (places: number, perSender: number) => new Shares({ places, perSender, waitMs });

function taken(shares: Shares, senders: readonly (string | undefined)[]): readonly boolean[] {
  return senders.map((sender) => shares.take(sender));
}

/** Who entered, in the order in which they did. */
function entered(shares: Shares, senders: readonly (string | undefined)[]): string[] {
  const order: string[] = [];
  for (const sender of senders) {
    void shares.enter(sender).then((entry) => {
      if (entry === 'entered') order.push(sender ?? 'house');
    });
  }
  return order;
}

test('one sender has no more than its share, and others go on', () => {
  const shares = sharesOf(8, 2);
  expect(taken(shares, ['a', 'a', 'a', 'b', undefined])).toEqual([true, true, false, true, true]);
});

test('all senders together leave a quarter to the work of the service itself', () => {
  const shares = sharesOf(8, 2);
  expect(taken(shares, ['a', 'a', 'b', 'b', 'c', 'c', 'd'])).toEqual([
    ...[true, true, true, true, true, true],
    false,
  ]);
  expect(taken(shares, [undefined, undefined, undefined])).toEqual([true, true, false]);
});

test('a pool of one place serves everybody in turn', async () => {
  const shares = sharesOf(1, 5);
  expect(shares.take('a')).toBe(true);
  const order = entered(shares, ['b', undefined]);
  shares.leave('a');
  await setImmediate();
  shares.leave('b');
  await setImmediate();
  expect(order).toEqual(['b', 'house']);
});

test('who waits is served in turns, however many of one sender wait', async () => {
  const shares = sharesOf(4, 3);
  expect(taken(shares, ['x', 'y', 'z'])).toEqual([true, true, true]);
  const order = entered(shares, ['a', 'a', 'a', 'a', 'b', 'c']);
  for (const sender of ['x', 'y', 'z', 'a', 'b', 'c']) {
    shares.leave(sender);
    await setImmediate();
  }
  expect(order).toEqual(['a', 'b', 'c', 'a', 'a', 'a']);
});

test('nobody passes those who wait, nor waits for a sender that has its share', async () => {
  const shares = sharesOf(8, 1);
  shares.take('a');
  const order = entered(shares, ['a', 'b']);
  await setImmediate();
  expect(order).toEqual(['b']);
  shares.leave('a');
  expect(shares.take('a')).toBe(false);
  await setImmediate();
  expect(order).toEqual(['b', 'a']);
});

test('who waits too long is told whose places were taken', async () => {
  vi.useFakeTimers();
  try {
    const shares = sharesOf(2, 1);
    shares.take('a');
    shares.take();
    const ends: Promise<Entry>[] = [shares.enter('a'), shares.enter('b'), shares.enter()];
    await vi.advanceTimersByTimeAsync(waitMs);
    expect(await Promise.all(ends)).toEqual(['own_share', 'all', 'all']);
    shares.leave('a');
    expect(shares.take('b')).toBe(true);
  } finally {
    vi.useRealTimers();
  }
});

test('who gives up waits no more, and takes no place', async () => {
  const shares = sharesOf(1, 1);
  shares.take('a');
  const caller = new AbortController();
  const waiting = shares.enter('b', caller.signal);
  caller.abort();
  expect(await waiting).toBe('given_up');
  shares.leave('a');
  expect(shares.take('c')).toBe(true);
});
