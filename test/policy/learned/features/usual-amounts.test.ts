import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  againstUsual,
  usualAmountsOf,
} from '../../../../src/policy/learned/features/usual-amounts.ts';
import { retryFacts } from '../retry-facts.ts';

it('amounts are against the mean of their own currency, so that another unit changes nothing', () => {
  fc.assert(
    fc.property(fc.array(retryFacts, { minLength: 1, maxLength: 20 }), (all) => {
      const facts = all.map((one) => ({ ...one, amountMinor: one.amountMinor + 1 }));
      const usual = usualAmountsOf(facts);
      const inYen = facts.map((one) => ({
        ...one,
        amountMinor: one.amountMinor * 1_000,
        currency: `${one.currency}-k`,
      }));
      const together = usualAmountsOf([...facts, ...inYen]);
      facts.forEach((one, at) => {
        const other = inYen[at];
        if (other === undefined) throw new Error('as many');
        expect(againstUsual(other, together)).toBeCloseTo(againstUsual(one, usual), 3);
      });
      const mean = facts.reduce((sum, one) => sum + againstUsual(one, usual), 0) / facts.length;
      expect(mean).toBeCloseTo(0, 2);
    }),
    { numRuns: 50 },
  );
});

it('an amount in a currency that was not seen is a usual one', () => {
  expect(againstUsual({ amountMinor: 5_000, currency: 'EUR' }, { USD: 7 })).toBe(0);
  expect(againstUsual({ amountMinor: 5_000, currency: 'toString' }, { USD: 7 })).toBe(0);
});
