import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createBounds } from '../../../src/http/bounds/bounds.ts';

/** How many of 1,000 requests begin at the same instant. */
async function begunAtOnce(kind: 'reads' | 'writes', perMinute: number) {
  const bounds = createBounds(
    { elapsedMs: () => 0 },
    {
      writesPerMinute: perMinute,
      readsPerMinute: perMinute,
      writesInFlight: 1_000,
      readsInFlight: 1_000,
      strangersPerMinute: 1,
      connectionsPerAddress: 1,
    },
  );
  let begun = 0;
  for (let n = 0; n < 1_000; n += 1) {
    void bounds.lanes[kind].enter('mer_1', () => false).then(() => (begun += 1));
  }
  await setImmediate();
  return begun;
}

test('a flood of reads has no second of them at once, to be felt by everybody else', async () => {
  expect(await begunAtOnce('reads', 6_000)).toBe(20);
});

test('a few reads are answered at once where the limit is low', async () => {
  expect(await begunAtOnce('reads', 60)).toBe(100);
});

test('writes begin as many at once as a second may have, and a few where the limit is low', async () => {
  expect(await begunAtOnce('writes', 15_000)).toBe(500);
  expect(await begunAtOnce('writes', 60)).toBe(100);
});
