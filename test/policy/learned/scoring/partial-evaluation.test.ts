import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { featureCount } from '../../../../src/policy/learned/features/feature-names.ts';
import { slotFeatures } from '../../../../src/policy/learned/features/features.ts';
import { localHour, weekendCalendar } from '../../../../src/policy/learned/local-time.ts';
import { openScorer, type PolicyModel } from '../../../../src/policy/learned/policy-model.ts';
import { priorModel } from '../../../../src/policy/learned/prior-model.ts';
import { rounded } from '../../../../src/policy/learned/rounded.ts';
import { boostedMargin } from '../../../../src/policy/learned/scoring/boosted-trees.ts';
import { logisticMargin } from '../../../../src/policy/learned/scoring/logistic-model.ts';
import { marginsWithout } from '../../../../src/policy/learned/scoring/margins-without.ts';
import { openSlotMargin } from '../../../../src/policy/learned/scoring/slot-margin.ts';
import { retryFacts } from '../retry-facts.ts';

const { means, deviations } = priorModel.logistic;

/** The plain evaluation, which all others are short ways to. */
function marginOf(model: PolicyModel, row: Float64Array): number {
  const trees = model.use === 'boosted' ? boostedMargin(model.trees, row) : 0;
  return logisticMargin(model.logistic, row) + trees;
}

/** Within some deviations of the means, where the trees' splits are; a deviation of 1e6 is of none. */
const rows = fc
  .array(fc.double({ min: -3, max: 3, noNaN: true }), {
    minLength: featureCount,
    maxLength: featureCount,
  })
  .map((list) =>
    Float64Array.from(
      list,
      (value, at) => (means[at] ?? 0) + value * Math.min(3, deviations[at] ?? 1),
    ),
  );
const models = fc.constantFrom<PolicyModel>(priorModel, { ...priorModel, use: 'logistic' });

describe('the evaluation of a model', () => {
  it('is the same where the features that do not vary were settled before', () => {
    const places = fc.uniqueArray(fc.integer({ min: 0, max: featureCount - 1 }));
    fc.assert(
      fc.property(models, rows, rows, places, (model, base, slot, varying) => {
        const row = base.slice();
        for (const at of varying) row[at] = slot[at] ?? 0;
        const margin = openSlotMargin(model, base, Uint8Array.from(varying));
        expect(margin(row)).toBeCloseTo(marginOf(model, row), 10);
      }),
    );
  });

  it('is the same for each slot of any decision, whichever was scored before', () => {
    fc.assert(
      fc.property(
        retryFacts,
        fc.array(fc.integer({ min: 0, max: 700 }), { minLength: 1, maxLength: 8 }),
        (facts, hours) => {
          const scorer = openScorer(priorModel, weekendCalendar, facts);
          const row = new Float64Array(featureCount);
          for (const after of hours) {
            const hour = localHour(facts.nowMs, facts.utcOffsetMinutes) + after;
            const chance = scorer.score(hour);
            slotFeatures(scorer.prepared, hour, row);
            expect(scorer.features()).toEqual(row);
            expect(chance).toBeCloseTo(1 / (1 + Math.exp(-marginOf(priorModel, row))), 10);
          }
        },
      ),
    );
  });

  it('is the same without a group of features as with their means in their places', () => {
    const grouped = fc.array(fc.integer({ min: -1, max: 13 }), {
      minLength: featureCount,
      maxLength: featureCount,
    });
    fc.assert(
      fc.property(models, rows, grouped, (model, row, groups) => {
        const { whole, without } = marginsWithout(model, row, Int8Array.from(groups), 14);
        expect(whole).toBeCloseTo(marginOf(model, row), 10);
        without.forEach((margin, group) => {
          const moved = row.map((value, at) => (groups[at] === group ? (means[at] ?? 0) : value));
          expect(margin).toBeCloseTo(marginOf(model, moved), 10);
        });
      }),
    );
  });
});

describe('rounding to six digits', () => {
  it('gives the number that its text gives', () => {
    const near = fc
      .tuple(fc.integer({ min: 1, max: 9_999_999 }), fc.integer({ min: -2, max: 12 }))
      .map(([digits, places]) => digits / 10 ** places);
    fc.assert(
      fc.property(fc.oneof(near, fc.double()), (value) => {
        expect(rounded(value)).toBe(Number(value.toPrecision(6)));
      }),
      { numRuns: 2_000 },
    );
  });
});
