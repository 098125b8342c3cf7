import { attempt, decide, waitForUpdate } from '../decide.ts';
import { type UsableMethod, usableMethods } from '../gates.ts';
import type { DecisionRecord, Plan, PlanInput } from '../plan.ts';
import { chooseArm } from './deciding/choose-arm.ts';
import { instantIn } from './deciding/instant-in.ts';
import type { LearnedInput } from './deciding/learned-input.ts';
import { onSchedule } from './deciding/on-schedule.ts';
import { candidate, planWords } from './deciding/plan-words.ts';
import { type TakenHour, takeHour } from './deciding/take-hour.ts';
import { bestMethod, type WeighedMethod } from './deciding/weigh-methods.ts';
import { learnedShareOf } from './learned-policy.ts';
import { rounded } from './rounded.ts';

/**
 * Plans by a learned model: the gates and advised waits first, as for every policy, then the slots
 * that are worth most of those that are left. The payments whose share the model has not earned, and a
 * share for ever, stay on the best simple schedule (`holdout`), a share of decisions takes a slot by chance (`explore`), and while the model is
 * distrusted all are on the schedule (`fallback`). Pure: the same input gives the same plan.
 */
export function decideLearned(input: LearnedInput): Plan {
  const { plan, policy, payment } = input;
  const { paymentId } = payment;
  const shares = { ...policy, learnedShare: learnedShareOf(policy, input.payment) };
  const arm = chooseArm(shares, { paymentId, triesMade: plan.tries.length });
  if (arm.kind === 'schedule') return onSchedule(plan, policy.bestFixedDays, arm);
  const { version } = policy.model;
  const methods = isOpen(plan) ? usableMethods(plan) : [];
  const [first] = methods;
  // The plain policy says why nothing is tried, and tries a renewed method at once.
  const isPlain = first === undefined || first.renewed;
  const best = isPlain ? undefined : bestMethod(input, methods);
  const { explores, otherwise } = arm;
  if (best === undefined) {
    // A model that plans nothing does not end a payment either.
    if (otherwise !== undefined) return onSchedule(plan, policy.bestFixedDays, otherwise);
    if (isPlain) return byModel(decide(plan), version, { arm: 'learned' });
    const because = 'no further try is worth its costs, or none is allowed inside the window';
    return byModel(waitForUpdate(plan, because), version, { arm: 'learned' });
  }
  const taken = takeHour(best.reach, best.slots.next.hour, {
    explores,
    exploreShare: policy.exploreShare,
    salt: policy.salt,
    key: `${paymentId}/${plan.tries.length}`,
  });
  const tried = planned(input, methods, best, taken);
  if (otherwise === undefined) return tried;
  return { ...tried, decision: { ...tried.decision, payment_arm: otherwise.arm } };
}

function isOpen({ now, tries, settings, windowEndsAt }: PlanInput): boolean {
  return tries.length < settings.maxAttempts && now.getTime() < windowEndsAt.getTime();
}

/** A plan with what a decision of the model says beyond one of a schedule. */
function byModel(plan: Plan, version: string, more: Partial<DecisionRecord>): Plan {
  const decision = { ...plan.decision, policy: 'learned', policy_version: version, ...more };
  return { ...plan, decision };
}

/** The chosen method sets the time; the others follow it in their order, as far as they are allowed. */
function planned(
  { plan, payment, policy }: LearnedInput,
  methods: readonly UsableMethod[],
  { method, planner, slots, outageBound }: WeighedMethod,
  { hour, isDrawn, propensity }: TakenHour,
): Plan {
  const { utcOffsetMinutes } = payment;
  const at = instantIn(hour, payment, plan.windowEndsAt);
  const ordered = [method, ...methods.filter((other) => other !== method)];
  const because = isDrawn ? 'a time by chance, to learn from' : planWords(slots, utcOffsetMinutes);
  const tried = attempt(plan, ordered, { at, because }, at);
  return byModel(tried, policy.model.version, {
    arm: isDrawn ? 'explore' : 'learned',
    chance: rounded(isDrawn ? planner.chanceAt(hour) : slots.next.chance),
    propensity,
    candidates: slots.candidates.map((slot) => candidate(slot, utcOffsetMinutes)),
    leading: planner.leadingAt(hour),
    bounded_by: [
      ...tried.decision.bounded_by,
      ...(method.boundBy === undefined ? [] : [method.boundBy]),
      ...(outageBound === undefined ? [] : [outageBound]),
    ],
  });
}
