import { describe, expect, it } from 'vitest';
import { retryAfterMs } from '../../../src/merchant/retry-status/retry-after.ts';

const now = new Date('2026-03-01T12:00:00Z');

describe('Retry-After', () => {
  it.each([
    ['0', 0],
    ['120', 120_000],
    [' 60 ', 60_000],
    ['999999999', 999_999_999_000],
    ['Sun, 01 Mar 2026 12:01:30 GMT', 90_000],
    ['Sun, 01 Mar 2026 11:00:00 GMT', 0],
  ])('%j is %i ms', (header, waitMs) => {
    expect(retryAfterMs(header, now)).toBe(waitMs);
  });

  it.each([
    undefined,
    '',
    '-1',
    '1.5',
    '1e3',
    'soon',
    '2026-03-01T12:01:30Z',
    'Sun, 99 Mar 2026 12:01:30 GMT',
    '9999999999',
  ])('%j says nothing', (header) => {
    expect(retryAfterMs(header, now)).toBeUndefined();
  });
});
