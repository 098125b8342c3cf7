import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AdvisedWaits } from '../../../src/policy/learned/advised-waits.ts';
import {
  chooseAroundWaits,
  type WeighedSlot,
} from '../../../src/policy/learned/choose-around-waits.ts';

const weights = Float64Array.of(0.5, 0.5);
const apartHours = 20;

function slot(hour: number, ...chances: readonly [number, number]): WeighedSlot {
  return { hour, discount: 1, chances: Float64Array.from(chances), scale: 1 };
}

/** A decline holds every hypothesis back for so many hours, with this chance. */
function waiting(hours: number, chance = 1): AdvisedWaits {
  return {
    bucketsAt: () => new Uint8Array(weights.length),
    overAfter: (gapHours) => Float64Array.of(gapHours >= hours ? 1 : 1 - chance),
  };
}

function hoursOf(slots: readonly WeighedSlot[], waits: AdvisedWaits, triesLeft = 8) {
  const { chosen } = chooseAroundWaits({
    slots,
    weights,
    waits,
    triesLeft,
    cost: 0.01,
    apartHours,
  });
  return chosen.map(({ hour }) => hour);
}

describe('slots around advised waits', () => {
  const poor = slot(24, 0.1, 0);
  const good = slot(72, 0, 0.9);

  it('takes a poor slot before a good one where no wait stands between them', () => {
    expect(hoursOf([poor, good], waiting(24))).toEqual([24, 72]);
  });

  it('leaves a poor slot out where its decline would cost the good one', () => {
    expect(hoursOf([poor, good], waiting(240))).toEqual([72]);
  });

  it('takes the poor slot where the wait is seldom', () => {
    expect(hoursOf([poor, good], waiting(240, 0.02))).toEqual([24, 72]);
  });

  it('takes none that is not worth its cost', () => {
    expect(hoursOf([slot(24, 0.01, 0)], waiting(24))).toEqual([]);
  });

  it('are worth their gains less what each costs where it is still made', () => {
    const worthOf = (waits: AdvisedWaits, slots = [slot(24, 1, 0), slot(72, 0, 0.8)]) =>
      chooseAroundWaits({ slots, weights, waits, triesLeft: 8, cost: 0.01, apartHours }).worth;
    // The second try is made where the first one failed: of half of the weight.
    expect(worthOf(waiting(24))).toBeCloseTo(0.5 - 0.01 + 0.4 - 0.5 * 0.01, 12);
    // One decline in five is advised to wait beyond it.
    expect(worthOf(waiting(240, 0.2))).toBeCloseTo(0.49 + 0.8 * (0.4 - 0.5 * 0.01), 12);
    // A gain that comes later is worth less; its try costs the same.
    const late = [{ ...slot(24, 1, 0), discount: 0.5 }];
    expect(worthOf(waiting(24), late)).toBeCloseTo(0.25 - 0.01, 12);
    // Chances are those of the slot times its scale.
    const scaled = [{ ...slot(24, 1, 0), scale: 0.5 }, slot(72, 0, 0.8)];
    expect(worthOf(waiting(24), scaled)).toBeCloseTo(
      worthOf(waiting(24), [slot(24, 0.5, 0), slot(72, 0, 0.8)]),
      12,
    );
  });

  it('stays inside the budget, apart, and in order of time', () => {
    const chance = fc.double({ min: 0, max: 1, noNaN: true });
    const drawn = fc.tuple(fc.integer({ min: 0, max: 600 }), chance, chance);
    fc.assert(
      fc.property(
        fc.array(drawn, { maxLength: 12 }),
        fc.integer({ min: 1, max: 4 }),
        fc.integer({ min: 1, max: 240 }),
        (all, triesLeft, waitHours) => {
          const slots = all
            .sort(([a], [b]) => a - b)
            .map(([hour, one, other]) => slot(hour, one, other));
          const hours = hoursOf(slots, waiting(waitHours), triesLeft);
          expect(hours.length).toBeLessThanOrEqual(triesLeft);
          hours.slice(1).forEach((hour, place) => {
            expect(hour - (hours[place] ?? 0)).toBeGreaterThanOrEqual(apartHours);
          });
        },
      ),
    );
  });
});
