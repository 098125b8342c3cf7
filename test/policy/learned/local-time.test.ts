import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hourStartIso, hourStartMs } from '../../../src/policy/learned/local-time.ts';

describe('the beginning of a local hour', () => {
  it('is written as Date writes it, in every zone, before 1970 too', () => {
    const hours = fc.integer({ min: -200_000, max: 2_000_000 });
    const offsets = fc.integer({ min: -14 * 60, max: 14 * 60 });
    fc.assert(
      fc.property(hours, offsets, (hour, offset) => {
        const byDate = new Date(hourStartMs(hour, offset)).toISOString();
        expect(hourStartIso(hour, offset)).toBe(byDate);
      }),
    );
  });
});
