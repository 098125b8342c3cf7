import { expect, test } from 'vitest';
import { winText } from '../../../dashboard/src/pages/disputes/win-text.ts';

test('a share is stated with its interval and n, of few the numbers alone', () => {
  expect(
    winText({ won: 18, lost: 12, win_rate: 0.6, win_rate_low: 0.406, win_rate_high: 0.7734 }, 10),
  ).toBe('60% [41, 77] of 30');
  expect(
    winText({ won: 1, lost: 8, win_rate: 0.1111, win_rate_low: 0.0028, win_rate_high: 0.4825 }, 10),
  ).toBe('1 of 9, too few');
  expect(winText({ won: 0, lost: 0 }, 10)).toBe('none decided');
});
