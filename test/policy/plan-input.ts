import fc from 'fast-check';
import { addMs, dayMs, hourMs, minuteMs } from '../../src/domain/clock.ts';
import { type Decline, declineCategories } from '../../src/domain/declines/decline.ts';
import { type PolicySettings, policyOf } from '../../src/domain/merchant.ts';
import type { PlanInput, PlanMethod, TryFacts } from '../../src/policy/plan.ts';
import { fixedPolicy } from '../kits/fixed-policy.ts';

export const failedAt = new Date('2026-03-01T12:00:00.000Z');

/** So many days after the failure. */
export const day = (days: number): Date => addMs(failedAt, days * dayMs);

export const later: Decline = { category: 'later', code: '51' };

/** A payment that failed just now, with one method, under the default policy. */
export function planInput(change: Partial<PlanInput> = {}): PlanInput {
  const settings = change.settings ?? fixedPolicy;
  return {
    now: failedAt,
    settings,
    failedAt,
    windowEndsAt: day(settings.windowDays),
    firstDecline: later,
    tries: [],
    methods: [{ paymentMethodId: 'pm_1', failedFirst: true }],
    ...change,
  };
}

/** A try that was declined within a minute. */
export function declinedTry(
  startedAt: Date,
  decline: Decline = later,
  paymentMethodId = 'pm_1',
): TryFacts {
  const declines = [{ paymentMethodId, decline }];
  return { startedAt, endedAt: addMs(startedAt, minuteMs), declines };
}

const methodIds = ['pm_1', 'pm_2', 'pm_3', 'pm_4'];

const declines: fc.Arbitrary<Decline> = fc.record(
  {
    category: fc.constantFrom(...declineCategories, 'later', 'later', 'technical'),
    code: fc.constant('51'),
    waitMs: fc.constantFrom(hourMs, dayMs, 10 * dayMs),
  },
  { requiredKeys: ['category', 'code'] },
);

export const settingsArbitrary: fc.Arbitrary<PolicySettings> = fc
  .record({
    kind: fc.constantFrom('fixed' as const, 'even' as const),
    windowDays: fc.integer({ min: 1, max: 60 }),
    maxAttempts: fc.integer({ min: 1, max: 20 }),
    days: fc.uniqueArray(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 20 }),
  })
  .map(({ days, ...settings }) =>
    policyOf({
      ...settings,
      shares: {},
      fixedDays: days
        .map((value) => 1 + (value % settings.windowDays))
        .filter((value, index, all) => all.indexOf(value) === index)
        .sort((a, b) => a - b),
    }),
  );

/** Any payment that can come before a policy, at any time from its failure to after its window. */
export const planInputs: fc.Arbitrary<PlanInput> = settingsArbitrary.chain((settings) => {
  const spanMs = (settings.windowDays + 1) * dayMs;
  const moments = fc.nat(spanMs / minuteMs).map((minutes) => addMs(failedAt, minutes * minuteMs));
  return fc
    .record({
      marks: fc.array(moments, { minLength: 1, maxLength: 5 }),
      declines: fc.array(fc.array(fc.option(declines), { minLength: 4, maxLength: 4 }), {
        minLength: 4,
        maxLength: 4,
      }),
      firstDecline: declines,
      ids: fc.uniqueArray(fc.constantFrom(...methodIds), { maxLength: 4 }),
      renewals: fc.array(fc.option(fc.integer({ min: -3 * 1440, max: spanMs / minuteMs })), {
        minLength: 4,
        maxLength: 4,
      }),
    })
    .map((drawn) => {
      const marks = drawn.marks.toSorted((a, b) => a.getTime() - b.getTime());
      const now = marks.at(-1) ?? failedAt;
      const starts = marks.slice(0, -1).slice(0, settings.maxAttempts);
      const tries = starts.map((startedAt, index): TryFacts => {
        const endedAt = addMs(startedAt, minuteMs);
        const ofTry = drawn.declines[index] ?? [];
        return {
          startedAt,
          endedAt: endedAt.getTime() < now.getTime() ? endedAt : now,
          declines: ofTry.flatMap((decline, at) =>
            decline === null ? [] : [{ paymentMethodId: methodIds[at] ?? 'pm_1', decline }],
          ),
        };
      });
      const methods = drawn.ids.map((paymentMethodId, index): PlanMethod => {
        const minutes = drawn.renewals[index];
        const at = typeof minutes === 'number' ? addMs(failedAt, minutes * minuteMs) : undefined;
        const renewed = at !== undefined && at.getTime() <= now.getTime();
        return {
          paymentMethodId,
          ...(paymentMethodId === 'pm_1' ? { failedFirst: true } : {}),
          ...(renewed ? { renewedAt: at } : {}),
        };
      });
      const { firstDecline } = drawn;
      return planInput({ now, settings, firstDecline, tries, methods });
    });
});
