import { expect, test } from 'vitest';
import { priorsMatureAt } from '../../../../src/domain/disputes/ce3/priors-mature-at.ts';
import { visaCe3 } from '../../../../src/domain/disputes/ce3/rule-sets.ts';

const at = (day: string) => new Date(`${day}T15:30:00Z`);

function maturity(days: readonly string[], now: string) {
  return priorsMatureAt({ ruleSet: visaCe3, chargedAt: days.map(at), now: at(now) });
}

test('two priors are ready 120 UTC days after the second, until the first is too old', () => {
  expect(maturity(['2026-02-01', '2026-01-01'], '2026-02-01')).toEqual({
    kind: 'matures',
    at: new Date('2026-06-01T00:00:00Z'),
    until: new Date('2027-01-01T00:00:00Z'),
  });
});

test('one charge is too few', () => {
  expect(maturity(['2026-02-01'], '2026-02-01')).toEqual({ kind: 'too_few', have: 1 });
});

test('two charges more than 244 days apart are never priors together', () => {
  expect(maturity(['2026-01-01', '2026-09-03'], '2026-09-03').kind).toBe('too_few');
  expect(maturity(['2026-01-01', '2026-09-02'], '2026-09-02')).toMatchObject({
    kind: 'matures',
    at: new Date('2026-12-31T00:00:00Z'),
  });
});

test('a window that is over gives way to the next', () => {
  expect(maturity(['2026-01-01', '2026-02-01', '2026-06-01'], '2027-01-02')).toEqual({
    kind: 'matures',
    at: new Date('2026-09-29T00:00:00Z'),
    until: new Date('2027-02-01T00:00:00Z'),
  });
});
