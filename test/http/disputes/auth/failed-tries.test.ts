import { expect, it } from 'vitest';
import { addMs, hourMs } from '../../../../src/domain/clock.ts';
import { FailedTries, maxTries } from '../../../../src/http/disputes/auth/failed-tries.ts';

it('a clock that is set back an hour has nobody wait for that hour', () => {
  const tries = new FailedTries();
  const at = new Date('2026-06-02T00:00:00Z');
  const back = addMs(at, -hourMs);
  const wrong = { username: 'mer_1', password: 'wrong' };
  for (let n = 0; n < maxTries; n += 1) tries.failed('192.0.2.1', wrong, at);
  expect(tries.waitSeconds('192.0.2.1', wrong, at)).toBe(60);
  expect(tries.waitSeconds('192.0.2.1', wrong, back)).toBeUndefined();
  tries.failed('192.0.2.1', wrong, back);
  expect(tries.waitSeconds('192.0.2.1', wrong, back)).toBeUndefined();
});
