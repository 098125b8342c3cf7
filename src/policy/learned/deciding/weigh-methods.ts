import { hourMs, laterOf } from '../../../domain/clock.ts';
import type { UsableMethod } from '../../gates.ts';
import { factsOfPlan } from '../facts-of-plan.ts';
import { economicsOf } from '../learned-policy.ts';
import { localHour } from '../local-time.ts';
import { type OpenPlanner, openPlanner } from '../open-planner.ts';
import { issuerState } from '../outage.ts';
import type { SlotPlan } from '../plan-slots.ts';
import { type ScorerArrays, scorerArrays } from '../scoring/scorer-arrays.ts';
import type { LearnedInput } from './learned-input.ts';

/** A method with the tries that are worth making by it. */
export interface WeighedMethod {
  readonly method: UsableMethod;
  readonly planner: OpenPlanner;
  readonly slots: SlotPlan;
  readonly reach: Reach;
  /** What holds it back beside its own bounds, in words. */
  readonly outageBound?: string;
}

/** The local hours that a method may be tried in, both included, and how often. */
export interface Reach {
  readonly fromHour: number;
  readonly toHour: number;
  readonly triesLeft: number;
}

/**
 * The methods one by one; the one whose next try is worth most sets the time. Of a card that nothing
 * is known of nothing can be predicted: it follows the others. Undefined where no try is worth its costs.
 */
export function bestMethod(
  input: LearnedInput,
  methods: readonly UsableMethod[],
): WeighedMethod | undefined {
  const known = methods.filter(({ paymentMethodId }) => input.cards[paymentMethodId] !== undefined);
  const weighed = known.length === 0 ? methods.slice(0, 1) : known;
  return weighed
    .flatMap((method, at) => weigh(input, method, arraysAt(at)) ?? [])
    .reduce<WeighedMethod | undefined>(
      (best, item) => (best === undefined || item.slots.worth > best.slots.worth ? item : best),
      undefined,
    );
}

const kept: ScorerArrays[] = [];

/** The same for each decision's method at a place: no planner outlives its decision. */
function arraysAt(place: number): ScorerArrays {
  const arrays = kept[place] ?? scorerArrays();
  kept[place] = arrays;
  return arrays;
}

function weigh(
  { plan, payment, cards, policy }: LearnedInput,
  method: UsableMethod,
  arrays: ScorerArrays,
): WeighedMethod | undefined {
  const card = cards[method.paymentMethodId] ?? {};
  const facts = factsOfPlan(plan, method.paymentMethodId, payment, card);
  const outage = issuerState(card.issuerHealth, facts.nowMs);
  const outageEnd = outage.kind === 'down' ? new Date(outage.untilMs) : plan.now;
  const from = laterOf(method.allowedAt, outageEnd);
  // The hour that `from` lies in has begun before it: only whole hours behind it are allowed.
  const fromHour = localHour(from.getTime() + hourMs - 1, facts.utcOffsetMinutes);
  const toHour = localHour(facts.windowEndsAtMs, facts.utcOffsetMinutes);
  if (fromHour > toHour) return undefined;
  const economics = economicsOf(policy.costs, payment);
  const planner = openPlanner(policy, facts, economics, arrays);
  const slots = planner.plan(fromHour, toHour);
  if (slots === undefined) return undefined;
  const reach = { fromHour, toHour, triesLeft: facts.triesLeft };
  return {
    method,
    planner,
    slots,
    reach,
    ...(outage.kind === 'down' && {
      outageBound: `the issuer is down, at least until ${outageEnd.toISOString()}`,
    }),
  };
}
