import { addMs, earlierOf, hourMs, laterOf } from '../../domain/clock.ts';
import { type AttemptPlan, attempt, decide, waitForUpdate } from '../decide.ts';
import { type UsableMethod, usableMethods } from '../gates.ts';
import type { Arm, DecisionRecord, Plan, PlanInput } from '../plan.ts';
import { factsOfPlan } from './facts-of-plan.ts';
import { unitOf } from './hash.ts';
import { economicsOf, type LearnedPolicy } from './learned-policy.ts';
import { hourStartMs, localHour } from './local-time.ts';
import { type OpenPlanner, openPlanner } from './open-planner.ts';
import { issuerState } from './outage.ts';
import type { Slot, SlotPlan } from './plan-slots.ts';
import type { CardFacts, PaymentFacts, RetryFacts } from './retry-facts.ts';
import { rounded } from './rounded.ts';

export interface LearnedInput {
  readonly plan: PlanInput;
  readonly payment: PaymentFacts;
  /** By payment method id; a method without an entry is planned by what the payment tells. */
  readonly cards: Readonly<Record<string, CardFacts>>;
  readonly policy: LearnedPolicy;
}

/**
 * Plans by a learned model: the gates and advised waits first, as for every policy, then the slots
 * that are worth most of those that are left. The payments whose share the model has not earned, and a
 * share for ever, stay on the best simple schedule (`holdout`), a share of decisions takes a slot by chance (`explore`), and while the model is
 * distrusted all are on the schedule (`fallback`). Pure: the same input gives the same plan.
 */
export function decideLearned(input: LearnedInput): Plan {
  const { plan, policy, payment } = input;
  if (policy.distrust !== undefined) return onSchedule(input, 'fallback', policy.distrust);
  const place = unitOf(payment.paymentId, `${policy.salt}/holdout`);
  if (place < Math.max(policy.holdoutShare, 1 - policy.learnedShare)) {
    // While the model plans nothing, times by chance are of the payments that it will plan first.
    const mayExplore = policy.learnedShare === 0 && place >= policy.holdoutShare;
    if (!(mayExplore && explores(input))) return heldOut(input, place);
  }
  const isOpen =
    plan.tries.length < plan.settings.maxAttempts &&
    plan.now.getTime() < plan.windowEndsAt.getTime();
  const methods = isOpen ? usableMethods(plan) : [];
  const [first] = methods;
  // The plain policy says why nothing is tried, and tries a renewed method at once.
  if (first === undefined || first.renewed) return marked(input, decide(plan), { arm: 'learned' });
  return planned(input, methods);
}

/** On the schedule: for ever, to compare with, or until the model has earned the payment's share. */
function heldOut(input: LearnedInput, place: number): Plan {
  const { holdoutShare, learnedShare, exploreShare } = input.policy;
  if (place < holdoutShare) {
    return onSchedule(input, 'holdout', 'the payment is held out to compare with');
  }
  const plan = onSchedule(
    input,
    'holdout',
    `the learned policy plans ${Math.round(learnedShare * 100)} % of the payments so far`,
  );
  const propensity = learnedShare === 0 ? rounded(1 - exploreShare) : 1;
  return { ...plan, decision: { ...plan.decision, propensity } };
}

/** Whether the decision takes a time by chance. */
function explores({ plan, payment, policy }: LearnedInput): boolean {
  const key = `${payment.paymentId}/${plan.tries.length}`;
  return unitOf(key, `${policy.salt}/explore`) < policy.exploreShare;
}

function marked(input: LearnedInput, plan: Plan, more: Partial<DecisionRecord>): Plan {
  const { version } = input.policy.model;
  const decision = { ...plan.decision, policy: 'learned', policy_version: version, ...more };
  return { ...plan, decision };
}

function onSchedule(input: LearnedInput, arm: Arm, because: string): Plan {
  const { plan, policy } = input;
  const { maxAttempts, windowDays } = plan.settings;
  const fixedDays = policy.bestFixedDays.filter((day) => day <= windowDays).slice(0, maxAttempts);
  const settings = { ...plan.settings, kind: 'fixed' as const, fixedDays };
  const fixed = decide({ ...plan, settings });
  return {
    ...fixed,
    decision: { ...fixed.decision, arm, because: `${fixed.decision.because}: ${because}` },
  };
}

interface Choice {
  readonly method: UsableMethod;
  readonly facts: RetryFacts;
  readonly planner: OpenPlanner;
  readonly slots: SlotPlan;
  readonly fromHour: number;
  readonly outageBound?: string;
}

/**
 * The methods one by one; the one whose next try is worth most sets the time. Of a card that nothing
 * is known of nothing can be predicted: it follows the others.
 */
function planned(input: LearnedInput, methods: readonly UsableMethod[]): Plan {
  const known = methods.filter(({ paymentMethodId }) => input.cards[paymentMethodId] !== undefined);
  const weighed = known.length === 0 ? methods.slice(0, 1) : known;
  const choices = weighed.flatMap((method) => chooseSlot(input, method) ?? []);
  const choice = choices.reduce<Choice | undefined>(
    (best, item) => (best === undefined || item.slots.worth > best.slots.worth ? item : best),
    undefined,
  );
  if (choice === undefined) {
    const because = 'no further try is worth its costs, or none is allowed inside the window';
    return marked(input, waitForUpdate(input.plan, because), { arm: 'learned' });
  }
  const explored = exploredHour(input, choice);
  const hour = explored.hour ?? choice.slots.next.hour;
  const at = instantIn(input, hour);
  const ordered = [choice.method, ...methods.filter((method) => method !== choice.method)];
  const isChance = explored.hour !== undefined;
  const because = isChance ? 'a time by chance, to learn from' : words(input, choice.slots);
  const plan: AttemptPlan = attempt(input.plan, ordered, { at, because }, at);
  const chance = isChance ? choice.planner.chanceAt(hour) : choice.slots.next.chance;
  const candidates = choice.slots.candidates.map((slot) => told(input, slot));
  return marked(input, plan, {
    arm: isChance ? 'explore' : 'learned',
    chance: rounded(chance),
    propensity: explored.propensity,
    candidates,
    leading: choice.planner.leadingAt(hour),
    bounded_by: [
      ...plan.decision.bounded_by,
      ...(choice.method.boundBy === undefined ? [] : [choice.method.boundBy]),
      ...(choice.outageBound === undefined ? [] : [choice.outageBound]),
    ],
  });
}

function chooseSlot(input: LearnedInput, method: UsableMethod): Choice | undefined {
  const { plan, payment, policy } = input;
  const card = input.cards[method.paymentMethodId] ?? {};
  const facts = factsOfPlan(plan, method.paymentMethodId, payment, card);
  const outage = issuerState(card.issuerHealth, facts.nowMs);
  const outageEnd = outage.kind === 'down' ? new Date(outage.untilMs) : plan.now;
  const from = laterOf(method.allowedAt, outageEnd);
  const fromHour = localHour(from.getTime() + hourMs - 1, facts.utcOffsetMinutes);
  const toHour = localHour(facts.windowEndsAtMs, facts.utcOffsetMinutes);
  if (fromHour > toHour) return undefined;
  const { maxAttempts } = plan.settings;
  const { amountMinor } = payment;
  const economics = economicsOf(policy.costs, { amountMinor, maxAttempts });
  const planner = openPlanner(policy, facts, economics);
  const slots = planner.plan(fromHour, toHour);
  if (slots === undefined) return undefined;
  const outageBound =
    outage.kind === 'down'
      ? `the issuer is down, at least until ${outageEnd.toISOString()}`
      : undefined;
  return {
    method,
    facts,
    planner,
    slots,
    fromHour,
    ...(outageBound === undefined ? {} : { outageBound }),
  };
}

/** Exploration goes a part of the window ahead, so that tries are left over for the rest of it. */
const partsAhead = 1.6;

/** The hour taken by chance, if this decision explores, and the propensity of the choice. */
function exploredHour(
  input: LearnedInput,
  { slots, fromHour, facts }: Choice,
): { readonly hour?: number; readonly propensity: number } {
  const { plan, payment, policy } = input;
  const toHour = localHour(facts.windowEndsAtMs, facts.utcOffsetMinutes);
  const hours = Math.max(1, Math.ceil(((toHour - fromHour) / facts.triesLeft) * partsAhead));
  const last = Math.min(toHour, fromHour + hours - 1);
  const count = last - fromHour + 1;
  const key = `${payment.paymentId}/${plan.tries.length}`;
  const byChance = policy.exploreShare / count;
  const isInReach = slots.next.hour <= last;
  const usual = 1 - policy.exploreShare + (isInReach ? byChance : 0);
  if (!explores(input)) return { propensity: rounded(usual) };
  const hour = fromHour + Math.floor(unitOf(key, `${policy.salt}/slot`) * count);
  return { hour, propensity: rounded(hour === slots.next.hour ? usual : byChance) };
}

/** An instant of the hour: payments are spread over it. An hour that is weighed is allowed from its start. */
function instantIn({ plan, payment }: LearnedInput, hour: number): Date {
  const begin = new Date(hourStartMs(hour, payment.utcOffsetMinutes));
  const spread = addMs(begin, Math.floor(unitOf(payment.paymentId, 'minute') * hourMs));
  return earlierOf(spread, plan.windowEndsAt);
}

/** Which of the planned tries it is, and what the others are for. */
function words(input: LearnedInput, { next, tries }: SlotPlan): string {
  const chance = `with a chance of ${percent(next.chance)}`;
  const [, ...others] = tries;
  if (others.length === 0) return `the only try that is worth making, ${chance}`;
  const days = others.map((slot) => {
    const { at } = told(input, slot);
    return `${at.slice(0, 10)} (${percent(slot.chance)})`;
  });
  return (
    `the first of ${tries.length} tries that are planned together, ${chance}; for the case that it ` +
    `is declined: ${days.join(', ')}. Days that pass at the same times count once`
  );
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function told(input: LearnedInput, { hour, chance }: Slot): { at: string; score: number } {
  const at = new Date(hourStartMs(hour, input.payment.utcOffsetMinutes)).toISOString();
  return { at, score: rounded(chance) };
}
