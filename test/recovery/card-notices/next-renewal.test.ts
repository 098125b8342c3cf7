import fc from 'fast-check';
import { expect, it } from 'vitest';
import { billingPeriods } from '../../../src/domain/payment-event.ts';
import { nextRenewal } from '../../../src/recovery/card-notices/next-renewal.ts';

const at = (text: string): Date => new Date(`${text}T08:30:00.000Z`);

it.each([
  ['2026-03-01', 'month', undefined, '2026-04-01'],
  ['2026-01-31', 'month', undefined, '2026-02-28'],
  ['2028-01-31', 'month', undefined, '2028-02-29'],
  ['2026-08-31', 'month', 3, '2026-11-30'],
  ['2026-12-15', 'month', 1, '2027-01-15'],
  ['2028-02-29', 'year', undefined, '2029-02-28'],
  ['2026-05-20', 'year', 2, '2028-05-20'],
  ['2026-02-27', 'day', 3, '2026-03-02'],
  ['2026-02-27', 'week', 2, '2026-03-13'],
] as const)('after %s by %s (%s) comes %s', (from, period, frequency, next) => {
  const billing = frequency === undefined ? { period } : { period, frequency };
  expect(nextRenewal(at(from), billing)).toEqual(at(next));
});

it('is always later', () => {
  const froms = fc.date({ min: at('2000-01-01'), max: at('2090-01-01'), noInvalidDate: true });
  const billings = fc.record({
    period: fc.constantFrom(...billingPeriods),
    frequency: fc.integer({ min: 1, max: 60 }),
  });
  fc.assert(
    fc.property(froms, billings, (from, billing) => {
      expect(nextRenewal(from, billing).getTime()).toBeGreaterThan(from.getTime());
    }),
  );
});
