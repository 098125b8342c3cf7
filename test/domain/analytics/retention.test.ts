import { expect, it } from 'vitest';
import { maturesAt } from '../../../src/domain/analytics/evidence.ts';
import { monthsBefore } from '../../../src/domain/analytics/retention.ts';

it.each([
  ['2026-06-15T10:00:00.000Z', 13, '2025-05-15T10:00:00.000Z'],
  ['2026-01-31T23:59:59.999Z', 15, '2024-10-31T23:59:59.999Z'],
  ['2025-03-31T00:00:00.000Z', 13, '2024-02-29T00:00:00.000Z'],
  ['2026-03-31T00:00:00.000Z', 13, '2025-02-28T00:00:00.000Z'],
  ['2024-02-29T00:00:00.000Z', 24, '2022-02-28T00:00:00.000Z'],
])('%s less %i months is %s', (at, months, before) => {
  expect(monthsBefore(new Date(at), months).toISOString()).toBe(before);
});

it('an analytics record matures after 120 days', () => {
  expect(maturesAt(new Date('2026-01-01T06:00:00Z'))).toEqual(new Date('2026-05-01T06:00:00Z'));
});
