import { expect, test } from 'vitest';
import { maturesAt } from '../../../../src/domain/disputes/ce3/matures-at.ts';
import { visaCe3 } from '../../../../src/domain/disputes/ce3/rule-sets.ts';
import { elements, priorCharge } from '../../../kits/dispute-cases.ts';

const at = (day: string) => new Date(`${day}T15:30:00Z`);
const first = priorCharge({ id: 'a', processedAt: at('2026-01-01') });
const second = priorCharge({ id: 'b', processedAt: at('2026-02-01') });
const now = at('2026-02-01');

test('two priors are ready 120 UTC days after the second, until the first is too old', () => {
  const found = maturesAt({ ruleSet: visaCe3, latest: second, charges: [second, first], now });
  expect(found).toEqual({
    kind: 'matures',
    at: new Date('2026-06-01T00:00:00Z'),
    until: new Date('2027-01-01T00:00:00Z'),
  });
});

test('a charge that was disputed, of another card, or shares too little does not count', () => {
  const others = [
    priorCharge({ id: 'c', processedAt: at('2026-01-05'), isDisputed: true }),
    priorCharge({ id: 'd', processedAt: at('2026-01-05'), credential: 'fp_2' }),
    priorCharge({
      id: 'e',
      processedAt: at('2026-01-05'),
      elements: { ip: elements.ip ?? '', emailIsLogin: false, inherited: [] },
    }),
  ];
  const found = maturesAt({ ruleSet: visaCe3, latest: second, charges: [second, ...others], now });
  expect(found).toEqual({ kind: 'too_few', have: 1 });
});

test('two charges more than 244 days apart are never priors together', () => {
  const late = priorCharge({ id: 'l', processedAt: at('2026-09-03') });
  const at245 = maturesAt({
    ruleSet: visaCe3,
    latest: late,
    charges: [first, late],
    now: at('2026-09-03'),
  });
  expect(at245.kind).toBe('too_few');
  const earlier = priorCharge({ id: 'l', processedAt: at('2026-09-02') });
  const at244 = maturesAt({
    ruleSet: visaCe3,
    latest: earlier,
    charges: [first, earlier],
    now: at('2026-09-02'),
  });
  expect(at244).toMatchObject({ kind: 'matures', at: new Date('2026-12-31T00:00:00Z') });
});

test('a window that is over gives way to the next', () => {
  const third = priorCharge({ id: 'c', processedAt: at('2026-06-01') });
  const found = maturesAt({
    ruleSet: visaCe3,
    latest: third,
    charges: [first, second, third],
    now: at('2027-01-02'),
  });
  expect(found).toEqual({
    kind: 'matures',
    at: new Date('2026-09-29T00:00:00Z'),
    until: new Date('2027-02-01T00:00:00Z'),
  });
});
