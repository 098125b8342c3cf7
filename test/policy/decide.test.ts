import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { addMs, dayMs, hourMs, minuteMs } from '../../src/domain/clock.ts';
import { mayTryAgain } from '../../src/domain/declines/decline.ts';
import { rulePackVersion } from '../../src/domain/network-rules/rule-pack.ts';
import { decide } from '../../src/policy/decide.ts';
import type { Plan, PlanInput, PlanMethod } from '../../src/policy/plan.ts';
import { fixedPolicy } from '../kits/fixed-policy.ts';
import {
  day,
  declinedTry,
  failedAt,
  later,
  planInput,
  planInputs,
  settingsArbitrary,
} from './plan-input.ts';

function attempted(plan: Plan): Extract<Plan, { kind: 'attempt' }> {
  if (plan.kind !== 'attempt') throw new Error(`planned ${plan.kind}: ${plan.decision.because}`);
  return plan;
}

describe('a plan', () => {
  it('is the schedule’s first time, with the payment’s methods', () => {
    const plan = attempted(decide(planInput()));
    expect(plan).toMatchObject({ at: day(1), methods: ['pm_1'] });
    expect(plan.decision).toEqual({
      kind: 'attempt',
      because: "the fixed schedule's next time",
      policy: 'fixed',
      policy_version: '1',
      rule_pack_version: rulePackVersion,
      decided_at: failedAt.toISOString(),
      at: day(1).toISOString(),
      methods: ['pm_1'],
      candidates: [{ at: day(1).toISOString(), score: 1 }],
      bounded_by: [],
      propensity: 1,
    });
  });

  it('is now where the schedule’s time has passed', () => {
    expect(attempted(decide(planInput({ now: day(2) }))).at).toEqual(day(2));
  });

  it('is now where a method was renewed since the last try, and says which', () => {
    const methods = [
      { paymentMethodId: 'pm_1', failedFirst: true },
      { paymentMethodId: 'pm_new', renewedAt: day(2) },
    ];
    const input = planInput({ now: day(2), methods, tries: [declinedTry(day(1))] });
    const plan = attempted(decide(input));
    expect(plan).toMatchObject({ at: day(2), methods: ['pm_new', 'pm_1'] });
    expect(plan.decision.because).toBe('payment method pm_new was added or updated');
  });

  it('is put off by the issuer’s advice, and says so', () => {
    const input = planInput({ firstDecline: { ...later, waitMs: 4 * dayMs } });
    const plan = attempted(decide(input));
    expect(plan.at).toEqual(day(4));
    expect(plan.decision.bounded_by).toEqual([
      `the issuer advised to wait until ${day(4).toISOString()}`,
    ]);
  });

  it('goes on without a method that must wait longer than the others', () => {
    const methods = [{ paymentMethodId: 'pm_1', failedFirst: true }, { paymentMethodId: 'pm_2' }];
    const input = planInput({ methods, firstDecline: { ...later, waitMs: 4 * dayMs } });
    expect(attempted(decide(input))).toMatchObject({ at: day(1), methods: ['pm_2'] });
  });

  it('waits for an update where no method may be tried as it is', () => {
    const plan = decide(planInput({ firstDecline: { category: 'never', code: '43' } }));
    expect(plan).toMatchObject({ kind: 'wait_for_update', until: day(28) });
  });

  it('waits for an update where every method was removed', () => {
    expect(decide(planInput({ methods: [] })).kind).toBe('wait_for_update');
  });

  it('waits for an update after the schedule’s last time', () => {
    const input = planInput({ now: day(8), tries: [declinedTry(day(7))] });
    expect(decide(input)).toMatchObject({ kind: 'wait_for_update', until: day(28) });
  });

  it('waits for an update where the advised wait leads out of the window', () => {
    const input = planInput({ firstDecline: { ...later, waitMs: 40 * dayMs } });
    expect(decide(input).kind).toBe('wait_for_update');
  });

  it('ends when the budget is used up', () => {
    const settings = { ...fixedPolicy, maxAttempts: 2 };
    const tries = [declinedTry(day(1)), declinedTry(day(3))];
    const plan = decide(planInput({ now: day(4), settings, tries }));
    expect(plan.kind).toBe('exhausted');
    expect(plan.decision.because).toBe('all 2 tries are used');
  });

  it('ends with the window, to the millisecond', () => {
    expect(decide(planInput({ now: addMs(day(28), -1) })).kind).toBe('attempt');
    expect(decide(planInput({ now: day(28) })).kind).toBe('exhausted');
  });
});

/** The latest decline of a method, found by going through everything that happened to it. */
function lastDecline(input: PlanInput, method: PlanMethod) {
  const ofFailure =
    method.failedFirst === true ? [{ at: input.failedAt, decline: input.firstDecline }] : [];
  const ofTries = input.tries.flatMap((item) =>
    item.declines
      .filter((entry) => entry.paymentMethodId === method.paymentMethodId)
      .map((entry) => ({ at: item.endedAt, decline: entry.decline })),
  );
  return [...ofFailure, ...ofTries].at(-1);
}

function isReplaced(method: PlanMethod, since: Date): boolean {
  return (method.renewedAt?.getTime() ?? 0) > since.getTime();
}

describe('whatever happened to a payment', () => {
  const whatever = (holds: (input: PlanInput, plan: Plan) => void) =>
    fc.assert(
      fc.property(planInputs, (input) => holds(input, decide(input))),
      { numRuns: 1_000 },
    );

  it('no plan exceeds the budget or leaves the window', () => {
    whatever((input, plan) => {
      if (plan.kind === 'exhausted') return;
      expect(input.tries.length).toBeLessThan(input.settings.maxAttempts);
      expect(input.now.getTime()).toBeLessThan(input.windowEndsAt.getTime());
      const at = plan.kind === 'attempt' ? plan.at : plan.until;
      expect(at.getTime()).toBeLessThanOrEqual(input.windowEndsAt.getTime());
    });
  });

  it('a payment ends only by its budget or its window', () => {
    whatever((input, plan) => {
      const over =
        input.tries.length >= input.settings.maxAttempts ||
        input.now.getTime() >= input.windowEndsAt.getTime();
      expect(plan.kind === 'exhausted').toBe(over);
    });
  });

  it('no plan lies in the past', () => {
    whatever((input, plan) => {
      if (plan.kind !== 'attempt') return;
      expect(plan.at.getTime()).toBeGreaterThanOrEqual(input.now.getTime());
      expect(plan.decision.at).toBe(plan.at.toISOString());
    });
  });

  it('no method is planned that its issuer closed, or before the issuer’s wait is over', () => {
    whatever((input, plan) => {
      if (plan.kind !== 'attempt') return;
      expect(plan.methods.length).toBeGreaterThan(0);
      expect(new Set(plan.methods).size).toBe(plan.methods.length);
      for (const id of plan.methods) {
        const method = input.methods.find((item) => item.paymentMethodId === id);
        if (method === undefined) throw new Error(`${id} is not the payment's`);
        const last = lastDecline(input, method);
        if (last === undefined || isReplaced(method, last.at)) continue;
        expect(mayTryAgain(last.decline.category)).toBe(true);
        const allowedMs = last.at.getTime() + (last.decline.waitMs ?? 0);
        expect(plan.at.getTime()).toBeGreaterThanOrEqual(allowedMs);
      }
    });
  });

  it('methods renewed since the last try come first, the newest before older ones', () => {
    whatever((input, plan) => {
      if (plan.kind !== 'attempt') return;
      const since = (input.tries.at(-1)?.startedAt ?? input.failedAt).getTime();
      const renewals = plan.methods.map((id) => {
        const renewedAt = input.methods.find((item) => item.paymentMethodId === id)?.renewedAt;
        const at = renewedAt?.getTime() ?? 0;
        return at > since ? at : 0;
      });
      expect(renewals).toEqual(renewals.toSorted((a, b) => b - a));
      const others = plan.methods.filter((_, index) => renewals[index] === 0);
      const own = input.methods.map((item) => item.paymentMethodId);
      expect(others).toEqual(own.filter((id) => others.includes(id)));
    });
  });

  it('the same facts give the same plan, and are left as they were', () => {
    whatever((input, plan) => {
      const copy = structuredClone(input);
      expect(decide(copy)).toEqual(plan);
      expect(copy).toEqual(input);
    });
  });

  it('a payment that is always declined is tried once for each time of its schedule', () => {
    const lateness = fc.array(fc.nat(3 * 24 * 60), { minLength: 20, maxLength: 20 });
    fc.assert(
      fc.property(settingsArbitrary, lateness, (settings, lateMinutes) => {
        const windowEndsAt = day(settings.windowDays);
        const started: Date[] = [];
        let input = planInput({ settings });
        for (let plan = decide(input); plan.kind === 'attempt'; plan = decide(input)) {
          const at = addMs(plan.at, (lateMinutes[started.length] ?? 0) * minuteMs);
          if (at.getTime() >= windowEndsAt.getTime()) break;
          started.push(at);
          const tries = [...input.tries, declinedTry(at)];
          input = { ...input, tries, now: addMs(at, minuteMs) };
        }
        const max = settings.kind === 'even' ? settings.maxAttempts : settings.fixedDays.length;
        expect(started.length).toBeLessThanOrEqual(Math.min(max, settings.maxAttempts));
      }),
    );
  });

  it('a payment that is tried on time is tried at exactly the times of its schedule', () => {
    const started: Date[] = [];
    let input = planInput({ settings: { ...fixedPolicy, fixedDays: [2, 3, 9], windowDays: 10 } });
    for (let plan = decide(input); plan.kind === 'attempt'; plan = decide(input)) {
      started.push(plan.at);
      input = {
        ...input,
        tries: [...input.tries, declinedTry(plan.at)],
        now: addMs(plan.at, hourMs),
      };
    }
    expect(started).toEqual([day(2), day(3), day(9)]);
  });
});
