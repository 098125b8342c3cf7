import { expect, onTestFinished, test } from 'vitest';
import { addMs } from '../../src/domain/clock.ts';
import { type CountTogether, RateLimiter } from '../../src/http/server/rate-limiter.ts';
import { countRequests } from '../../src/store/count-requests.ts';
import { openDatabase } from '../../src/store/database.ts';
import { createTestDatabase } from '../kits/database.ts';

const start = new Date('2026-06-02T00:00:00.000Z');

/** Limiters of two processes over one database; `told` resolves when what they tell is counted. */
async function twoProcesses(perMinute: number) {
  const { connectionString, drop } = await createTestDatabase();
  const counting = new Set<Promise<unknown>>();
  const limiters = [1, 2].map(() => {
    const db = openDatabase({ log: { warn: () => undefined } }, { connectionString, poolSize: 2 });
    onTestFinished(() => db.close());
    const count: CountTogether = (of) => {
      const counted = countRequests(db, { scope: 'recovery writes', ...of });
      counting.add(counted);
      return counted;
    };
    return new RateLimiter(perMinute, count);
  });
  onTestFinished(drop);
  const [one, other] = limiters;
  if (one === undefined || other === undefined) throw new Error('there are two');
  return { one, other, told: () => Promise.all(counting) };
}

test('processes count the requests of a sender together', async () => {
  const { one, other, told } = await twoProcesses(20);
  for (let n = 0; n < 19; n += 1) {
    expect(one.take('mer_1', start).isAllowed).toBe(true);
    await told();
  }
  expect(other.take('mer_1', start).isAllowed).toBe(true);
  await told();
  const second = other.take('mer_1', start);
  expect([second.isAllowed, second.rateLimit]).toEqual([false, '"default";r=0;t=60']);
  expect(other.take('mer_2', start).isAllowed).toBe(true);
  expect(other.take('mer_1', addMs(start, 60_000)).isAllowed).toBe(true);
});
