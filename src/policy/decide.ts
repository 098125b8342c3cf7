import { earlierOf, laterOf } from '../domain/clock.ts';
import { rulePackVersion } from '../domain/network-rules/rule-pack.ts';
import { fixedVersion, nextScheduled, scheduleTimes } from './fixed.ts';
import { networkBounds, type UsableMethod, usableMethods } from './gates.ts';
import type { DecisionRecord, Plan, PlanInput } from './plan.ts';

/**
 * Plans what happens next with a payment: the gates first, then the merchant's schedule. Pure: the
 * same input gives the same plan.
 */
export function decide(input: PlanInput): Plan {
  if (input.tries.length >= input.settings.maxAttempts) {
    return exhausted(input, `all ${input.settings.maxAttempts} tries are used`);
  }
  if (input.now.getTime() >= input.windowEndsAt.getTime()) {
    return exhausted(input, 'the recovery window has ended');
  }
  const methods = usableMethods(input);
  const [first, ...others] = methods;
  if (first === undefined) {
    return waitForUpdate(input, 'no payment method may be tried again before it is updated');
  }
  const wanted = wantedTime(input, methods);
  if (wanted === undefined) {
    return waitForUpdate(input, 'the schedule has no further time inside the window');
  }
  const allowedAt = others.reduce((at, method) => earlierOf(at, method.allowedAt), first.allowedAt);
  const at = laterOf(wanted.at, allowedAt);
  if (at.getTime() > input.windowEndsAt.getTime()) {
    return waitForUpdate(input, 'the next allowed time lies behind the end of the window');
  }
  return attempt(input, methods, wanted, at);
}

export type AttemptPlan = Extract<Plan, { kind: 'attempt' }>;

interface WantedTime {
  readonly at: Date;
  readonly because: string;
}

/** The time that the schedule asks for, or now where a method was renewed since the last try. */
function wantedTime(input: PlanInput, methods: readonly UsableMethod[]): WantedTime | undefined {
  const renewed = methods.find((method) => method.renewed);
  if (renewed !== undefined) {
    const because = `payment method ${renewed.paymentMethodId} was added or updated`;
    return { at: input.now, because };
  }
  const times = scheduleTimes(input.settings, input.failedAt, input.windowEndsAt);
  const at = nextScheduled(times, input.tries.at(-1)?.startedAt);
  if (at === undefined) return undefined;
  return { at, because: `the ${input.settings.kind} schedule's next time` };
}

/** A plan to try at a time, with all methods that are allowed by then, in their order. */
export function attempt(
  input: PlanInput,
  methods: readonly UsableMethod[],
  wanted: WantedTime,
  at: Date,
): AttemptPlan {
  const names = methods
    .filter((method) => method.allowedAt.getTime() <= at.getTime())
    .map((method) => method.paymentMethodId);
  const postponed = at.getTime() > laterOf(wanted.at, input.now).getTime();
  const startsAt = at.toISOString();
  return {
    kind: 'attempt',
    at,
    methods: names,
    decision: {
      ...base(input, 'attempt', wanted.because),
      at: startsAt,
      methods: names,
      candidates: [{ at: startsAt, score: 1 }],
      bounded_by: bounds(input, methods, names, postponed ? at : undefined),
    },
  };
}

/** What postponed the attempt, and what keeps further methods out of it. */
function bounds(
  input: PlanInput,
  methods: readonly UsableMethod[],
  names: readonly string[],
  postponedTo: Date | undefined,
): readonly string[] {
  const binding = methods.find(
    ({ allowedAt }) => allowedAt.getTime() === postponedTo?.getTime(),
  )?.boundBy;
  const left = input.methods.filter(({ paymentMethodId }) => !names.includes(paymentMethodId));
  return [...(binding === undefined ? [] : [binding]), ...networkBounds(left)];
}

function exhausted(input: PlanInput, because: string): Plan {
  return { kind: 'exhausted', decision: base(input, 'exhausted', because) };
}

/** A plan to do nothing until a method is updated or the window ends. */
export function waitForUpdate(input: PlanInput, because: string): Plan {
  const until = input.windowEndsAt;
  return {
    kind: 'wait_for_update',
    until,
    decision: {
      ...base(input, 'wait_for_update', because),
      at: until.toISOString(),
      bounded_by: networkBounds(input.methods),
    },
  };
}

function base(input: PlanInput, kind: Plan['kind'], because: string): DecisionRecord {
  return {
    kind,
    because,
    policy: input.settings.kind,
    policy_version: fixedVersion,
    rule_pack_version: rulePackVersion,
    decided_at: input.now.toISOString(),
    bounded_by: [],
    propensity: 1,
  };
}
