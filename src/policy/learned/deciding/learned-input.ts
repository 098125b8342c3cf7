import type { PlanInput } from '../../plan.ts';
import type { LearnedPolicy } from '../learned-policy.ts';
import type { CardFacts, PaymentFacts } from '../retry-facts.ts';

/** All that a model may know when it plans. */
export interface LearnedInput {
  readonly plan: PlanInput;
  readonly payment: PaymentFacts;
  /** By payment method id; a method without an entry is planned by what the payment tells. */
  readonly cards: Readonly<Record<string, CardFacts>>;
  readonly policy: LearnedPolicy;
}
