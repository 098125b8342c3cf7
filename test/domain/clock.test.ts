import { expect, it } from 'vitest';
import { earlierOf, laterOf } from '../../src/domain/clock.ts';
import { lookUpsOfLadder, resolveBackoffMs, resolveWaitMs } from '../../src/domain/limits.ts';

it('of two instants one is the earlier and the other the later', () => {
  const [a, b] = [new Date(1), new Date(2)];
  expect([earlierOf(a, b), earlierOf(b, a), laterOf(a, b), laterOf(b, a)]).toEqual([a, a, b, b]);
});

it('a charge is looked up by the ladder, then daily for a month, then no more', () => {
  const dayMs = 24 * 3_600_000;
  const waits = Array.from({ length: 40 }, (_, lookUps) => resolveWaitMs(lookUps));
  expect(waits.slice(0, lookUpsOfLadder)).toEqual(resolveBackoffMs);
  expect(waits.slice(lookUpsOfLadder, lookUpsOfLadder + 30)).toEqual(Array(30).fill(dayMs));
  expect(waits.slice(lookUpsOfLadder + 30)).toEqual([undefined, undefined, undefined]);
});
