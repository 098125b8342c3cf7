import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs } from '../../../src/domain/clock.ts';
import type { CardAttempt } from '../../../src/domain/network-rules/card-attempt.ts';
import { judgeCharge } from '../../../src/domain/network-rules/judge-charge.ts';
import { ruledNetworks } from '../../../src/domain/network-rules/ruled-network.ts';
import { cases } from './histories.ts';
import { mayCharge } from './oracle.ts';

const numRuns = 10_000;
/** Limits were raised on this day alone: before it, a wait may be longer than it had to be. */
const lastRise = new Date('2025-05-19');

describe.each(ruledNetworks)('over random histories of a card of %s', (network) => {
  it('a charge is allowed exactly where counting by hand allows it', () => {
    const seen = { allowed: 0, blocked: 0, waits: 0 };
    fc.assert(
      fc.property(cases(network), ({ history, proposed }) => {
        const judged = judgeCharge(history, proposed);
        seen[judged.kind] += 1;
        if ((judged.kind === 'allowed') !== mayCharge(history, proposed)) return false;
        if (judged.kind === 'allowed' || judged.until === undefined) return true;
        seen.waits += 1;
        const { until } = judged;
        const isFirst =
          proposed.at < lastRise || !mayCharge(history, { ...proposed, at: addMs(until, -1) });
        return until > proposed.at && mayCharge(history, { ...proposed, at: until }) && isFirst;
      }),
      { numRuns },
    );
    // The histories must come to the limits, and stay below them, often enough to prove anything.
    expect(Math.min(seen.allowed, seen.blocked)).toBeGreaterThan(numRuns / 50);
    expect(seen.waits).toBeGreaterThan(0);
  });
});

describe('a card that is charged whenever its judgement allows it', () => {
  it.each(ruledNetworks)('of %s never passes a limit, however the clock moves', (network) => {
    const moves = fc.array(fc.tuple(fc.nat(3 * 24 * 60), fc.nat(99)), { maxLength: 80 });
    fc.assert(
      fc.property(cases(network), moves, ({ proposed }, steps) => {
        const made: CardAttempt[] = [];
        let { at } = proposed;
        for (const [minutes, dice] of steps) {
          // Now and then the clock is set back, by less than it went on.
          at = addMs(at, (dice % 10 === 0 ? -minutes / 2 : minutes / 8) * 60_000);
          const charge = { ...proposed, at };
          if (judgeCharge(made, charge).kind !== 'allowed') continue;
          expect(mayCharge(made, charge)).toBe(true);
          made.push({
            id: `c_${made.length}`,
            invoiceId: charge.invoiceId,
            at,
            initiator: charge.initiator,
            credential: charge.credential,
            outcome: dice < 3 ? 'approved' : dice < 10 ? 'sent' : 'declined',
            networkCode: network === 'ach' ? 'R01' : 'AM04',
          });
        }
      }),
      { numRuns: 500 },
    );
  });
});
