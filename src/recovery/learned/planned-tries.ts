import type { Merchant } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import {
  modelledAfter,
  type PlannedTry,
  scheduledAfter,
} from '../../policy/learned/following-tries.ts';
import type { PlanInput } from '../../policy/plan.ts';
import { planInput } from '../engine/next-step.ts';
import type { PaymentContext } from '../engine-ports.ts';

/**
 * The attempt that is planned, and those meant to follow where it is declined; none where no attempt is
 * planned. The later ones are reckoned anew, as of the standing decision: only the next is ever kept.
 */
export function plannedTries(payment: PaymentContext, merchant: Merchant): readonly PlannedTry[] {
  const { decision, state, learned } = payment;
  if (decision?.at === undefined || decision.kind !== 'attempt') return [];
  if (state !== 'scheduled') return [];
  const at = new Date(decision.at);
  const next = { at, ...present({ chance: decision.chance }) };
  // A retry that somebody asked for replaces the plan; what follows is planned after it.
  if (decision.policy === 'client_retry') return [next];
  const plan = planInput(payment, merchant, new Date(decision.decided_at));
  const isModels = decision.arm === 'learned' || decision.arm === 'explore';
  if (isModels && learned !== undefined) return [next, ...modelledAfter({ plan, ...learned }, at)];
  return [next, ...scheduledAfter(onItsDays(plan, payment), at)];
}

/** Where the learned policy leaves a payment to a schedule, that one is its own. */
function onItsDays(plan: PlanInput, { decision, learned }: PaymentContext): PlanInput {
  if (decision?.arm === undefined || learned === undefined) return plan;
  const fixedDays = learned.policy.bestFixedDays;
  return { ...plan, settings: { ...plan.settings, kind: 'fixed', fixedDays } };
}
