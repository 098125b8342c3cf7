import { expect, it } from 'vitest';
import { dayMs } from '../../../../src/domain/clock.ts';
import { featureAt } from '../../../../src/policy/learned/features/feature-names.ts';
import { weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { openScorer } from '../../../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import { plainFacts } from '../plain-facts.ts';

const failedAtMs = Date.UTC(2026, 2, 1, 12);
const paid = (amountMinor: number, currency?: string) => ({
  atMs: failedAtMs - 30 * dayMs,
  succeeded: true,
  amountMinor,
  ...(currency !== undefined && { currency }),
});

it.each([
  ['none', [], 0],
  ['one of its currency', [paid(1_000, 'EUR')], Math.log(2)],
  ['one that names none', [paid(1_000)], Math.log(2)],
  ['one of another currency', [paid(90_000, 'JPY')], 0],
  ['both', [paid(90_000, 'JPY'), paid(4_000, 'EUR')], -Math.log(2)],
])('an amount is set against those of the past of its own currency: %s', (_, past, expected) => {
  const facts = { ...plainFacts(failedAtMs, { past }), amountMinor: 2_000, currency: 'EUR' };
  const { prepared } = openScorer(priorModel, weekendCalendar, facts);
  expect(prepared.base[featureAt.amount_against_past]).toBeCloseTo(expected, 9);
});
