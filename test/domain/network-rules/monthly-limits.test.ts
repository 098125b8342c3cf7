import { expect, it } from 'vitest';
import { monthlyLimits } from '../../../src/domain/network-rules/monthly-limits.ts';

const most = (date: string) =>
  Object.fromEntries(monthlyLimits(new Date(date)).map((limit) => [limit.network, limit.most]));

it('each network that has a limit on a day is listed with the one of that day', () => {
  expect(most('2026-06-15')).toEqual({ visa: 20, mastercard: 35, amex: 20, discover: 20 });
  expect(most('2025-05-18')).toMatchObject({ visa: 15 });
  expect(most('2000-01-01')).not.toHaveProperty('visa');
});

it('of Visa the first charge is free, of the others it counts', () => {
  const free = monthlyLimits(new Date('2026-06-15')).filter(({ isFirstFree }) => isFirstFree);
  expect(free.map(({ network }) => network)).toEqual(['visa']);
});
