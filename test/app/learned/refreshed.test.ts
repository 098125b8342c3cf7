import { expect, it } from 'vitest';
import { createRefreshed } from '../../../src/app/learned/refreshed.ts';

it('reads once for all who ask within its time, and again after it, when forgotten or when it failed', async () => {
  let [reads, now, fails] = [0, 0, false];
  const kept = createRefreshed({
    ttlMs: 10,
    elapsedMs: () => now,
    load: async () => {
      reads += 1;
      if (fails) throw new Error('the database is away');
      return reads;
    },
  });
  expect(await Promise.all([kept.get(), kept.get()])).toEqual([1, 1]);
  now = 10;
  expect(await kept.get()).toBe(1);
  now = 11;
  expect(await kept.get()).toBe(2);
  kept.forget();
  expect(await kept.get()).toBe(3);
  kept.forget();
  fails = true;
  await expect(kept.get()).rejects.toThrow('away');
  fails = false;
  expect(await kept.get()).toBe(5);
});
