import { present } from '../../../domain/present.ts';
import type { DecisionRecord, PaymentArm } from '../../plan.ts';

/**
 * The arm that a payment has by a decision. Records from before there was `payment_arm` have it by the arm of their
 * try: one that was explored was of the learned arm.
 */
export function paymentArmOf(decision: DecisionRecord | undefined): PaymentArm | undefined {
  if (decision?.payment_arm !== undefined) return decision.payment_arm;
  switch (decision?.arm) {
    case 'learned':
    case 'explore':
      return 'learned';
    case 'holdout':
      return 'holdout';
    case 'fallback':
    case undefined:
      return undefined;
  }
}

/**
 * A decision with the arm that the payment had before it. A share that grows hands payments to the model that the
 * schedule did not recover: were they of the learned arm from then on, the worst of both would be its own.
 */
export function keepingArm(
  decision: DecisionRecord,
  before: DecisionRecord | undefined,
): DecisionRecord {
  const payment_arm = paymentArmOf(before) ?? paymentArmOf(decision);
  return { ...decision, ...present({ payment_arm }) };
}
