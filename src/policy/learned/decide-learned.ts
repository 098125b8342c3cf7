import { addMs, hourMs, laterOf } from '../../domain/clock.ts';
import { type AttemptPlan, attempt, decide, waitForUpdate } from '../decide.ts';
import { type UsableMethod, usableMethods } from '../gates.ts';
import type { Arm, DecisionRecord, Plan, PlanInput } from '../plan.ts';
import { advisedWaits } from './advised-waits.ts';
import { leadingFeatures } from './explain.ts';
import { factsOfPlan } from './facts-of-plan.ts';
import { unitOf } from './hash.ts';
import { economicsOf, type LearnedPolicy } from './learned-policy.ts';
import { hourStartMs, localHour } from './local-time.ts';
import { issuerState } from './outage.ts';
import { greedySlot, planSlots, type Slot, type SlotPlan } from './plan-slots.ts';
import { openScorer, type Scorer } from './policy-model.ts';
import type { CardFacts, PaymentFacts } from './retry-facts.ts';
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
 * that are worth most of those that are left. A share of payments stays on the best fixed schedule
 * (`holdout`), a share of decisions takes a slot by chance (`explore`), and while the model is
 * distrusted all are on the schedule (`fallback`). Pure: the same input gives the same plan.
 */
export function decideLearned(input: LearnedInput): Plan {
  const { plan, policy, payment } = input;
  if (policy.distrust !== undefined) return onSchedule(input, 'fallback', policy.distrust);
  if (unitOf(payment.paymentId, `${policy.salt}/holdout`) < policy.holdoutShare) {
    return onSchedule(input, 'holdout', 'the payment is held out to compare with');
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
  readonly scorer: Scorer;
  readonly slots: SlotPlan;
  readonly fromHour: number;
  readonly outageBound?: string;
}

/**
 * The methods one by one; the one whose next try is worth most sets the time. Of a card that nothing
 * is known of nothing can be foretold: it follows the others.
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
  const at = instantIn(input, choice.method, hour);
  const ordered = [choice.method, ...methods.filter((method) => method !== choice.method)];
  const isChance = explored.hour !== undefined;
  const because = isChance ? 'a time by chance, to learn from' : words(choice.slots);
  const plan: AttemptPlan = attempt(input.plan, ordered, { at, because }, at);
  const chance = isChance ? choice.scorer.score(hour) : choice.slots.next.chance;
  choice.scorer.score(hour);
  const candidates = choice.slots.candidates.map((slot) => told(input, slot));
  return marked(input, plan, {
    arm: isChance ? 'explore' : 'learned',
    chance: rounded(chance),
    propensity: explored.propensity,
    candidates,
    leading: leadingFeatures(input.policy.model, choice.scorer.features(), 5),
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
  const scorer = openScorer(policy.model, policy.calendar, facts);
  const { maxAttempts } = plan.settings;
  const { amountMinor } = payment;
  const economics = economicsOf(policy.costs, { amountMinor, maxAttempts });
  const { triesLeft } = facts;
  const choose = policy.planner === 'greedy' ? greedySlot : planSlots;
  const { belief } = scorer.prepared;
  const { calendar, model } = policy;
  const waits = advisedWaits({ parameters: model.belief, calendar, belief, facts });
  const slots = choose({ scorer, fromHour, toHour, triesLeft, economics, waits });
  if (slots === undefined) return undefined;
  const outageBound =
    outage.kind === 'down'
      ? `the issuer is down, at least until ${outageEnd.toISOString()}`
      : undefined;
  return { method, scorer, slots, fromHour, ...(outageBound === undefined ? {} : { outageBound }) };
}

/** Exploration goes a part of the window ahead, so that tries are left over for the rest of it. */
const partsAhead = 1.6;

/** The hour taken by chance, if this decision explores, and the propensity of the choice. */
function exploredHour(
  { plan, payment, policy }: LearnedInput,
  { slots, fromHour, scorer }: Choice,
): { readonly hour?: number; readonly propensity: number } {
  const { facts } = scorer.prepared;
  const toHour = localHour(facts.windowEndsAtMs, facts.utcOffsetMinutes);
  const hours = Math.max(1, Math.ceil(((toHour - fromHour) / facts.triesLeft) * partsAhead));
  const last = Math.min(toHour, fromHour + hours - 1);
  const count = last - fromHour + 1;
  const key = `${payment.paymentId}/${plan.tries.length}`;
  const byChance = policy.exploreShare / count;
  const isInReach = slots.next.hour <= last;
  const usual = 1 - policy.exploreShare + (isInReach ? byChance : 0);
  if (unitOf(key, `${policy.salt}/explore`) >= policy.exploreShare) {
    return { propensity: rounded(usual) };
  }
  const hour = fromHour + Math.floor(unitOf(key, `${policy.salt}/slot`) * count);
  return { hour, propensity: rounded(hour === slots.next.hour ? usual : byChance) };
}

/** An instant of the hour: payments are spread over it, and stay inside what is allowed. */
function instantIn(
  { plan, payment }: LearnedInput,
  { allowedAt }: UsableMethod,
  hour: number,
): Date {
  const begin = new Date(hourStartMs(hour, payment.utcOffsetMinutes));
  const spread = addMs(begin, Math.floor(unitOf(payment.paymentId, 'minute') * hourMs));
  const at = laterOf(laterOf(spread, allowedAt), plan.now);
  return at.getTime() > plan.windowEndsAt.getTime() ? plan.windowEndsAt : at;
}

function words({ next, tries }: SlotPlan): string {
  const count = tries.length === 1 ? 'one try is' : `${tries.length} tries are`;
  return `the best time by expected value, with a chance of ${percent(next.chance)}; ${count} worth making`;
}

function percent(share: number): string {
  return `${(share * 100).toFixed(1)} %`;
}

function told(input: LearnedInput, { hour, chance }: Slot): { at: string; score: number } {
  const at = new Date(hourStartMs(hour, input.payment.utcOffsetMinutes)).toISOString();
  return { at, score: rounded(chance) };
}
