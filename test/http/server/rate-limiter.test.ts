import { expect, test } from 'vitest';
import { addMs, minuteMs } from '../../../src/domain/clock.ts';
import { RateLimiter } from '../../../src/http/server/rate-limiter.ts';

const start = new Date('2026-06-02T00:00:00.000Z');

test('counts down to none and refuses what is over', () => {
  const limiter = new RateLimiter(2);
  expect(limiter.take('mer_1', start)).toEqual({
    isAllowed: true,
    rateLimit: '"default";r=1;t=60',
    policy: '"default";q=2;w=60',
    resetSeconds: 60,
  });
  expect(limiter.take('mer_1', addMs(start, 1)).rateLimit).toBe('"default";r=0;t=60');
  const refused = limiter.take('mer_1', addMs(start, 18_000));
  expect(refused.isAllowed).toBe(false);
  expect(refused.rateLimit).toBe('"default";r=0;t=42');
  expect(refused.resetSeconds).toBe(42);
});

test('a new window begins when the old one has ended, and not before', () => {
  const limiter = new RateLimiter(1);
  limiter.take('mer_1', start);
  expect(limiter.take('mer_1', addMs(start, minuteMs - 1)).isAllowed).toBe(false);
  expect(limiter.take('mer_1', addMs(start, minuteMs)).isAllowed).toBe(true);
});

test('one merchant does not use up the requests of another', () => {
  const limiter = new RateLimiter(1);
  limiter.take('mer_1', start);
  expect(limiter.take('mer_2', start).isAllowed).toBe(true);
});

test('a clock that is set back an hour has nobody wait for that hour', () => {
  const limiter = new RateLimiter(1);
  limiter.take('mer_1', start);
  expect(limiter.take('mer_1', addMs(start, -1)).isAllowed).toBe(false);
  expect(limiter.take('mer_1', addMs(start, -60 * minuteMs)).isAllowed).toBe(true);
  expect(limiter.take('mer_1', addMs(start, -60 * minuteMs)).resetSeconds).toBe(60);
});
