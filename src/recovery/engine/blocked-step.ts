import { earlierOf, laterOf } from '../../domain/clock.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { Blocked } from '../../domain/network-rules/judge-charge.ts';
import { rulePackVersion } from '../../domain/network-rules/rule-pack.ts';
import { keepingArm } from '../../policy/learned/deciding/payment-arm.ts';
import { ruleMessage } from '../../policy/rule-message.ts';
import type { PaymentContext, PaymentOutcome } from '../engine-ports.ts';
import { nextStep } from './next-step.ts';

/**
 * Where a payment goes whose methods were all blocked by a network's rule, so that nothing was
 * charged: to the first time that one of them may be charged, or later where the plan is later.
 * Where that lies behind the window, or never comes, the payment waits for an update: the merchant
 * asked for these methods and no others.
 */
export function blockedStep(
  payment: PaymentContext,
  merchant: Merchant,
  now: Date,
  blocks: readonly Blocked[],
): PaymentOutcome {
  const next = nextStep(payment, merchant, now);
  const { decision, nextAttemptAt } = next;
  if (next.dueAction !== 'attempt' || decision === undefined || nextAttemptAt === undefined) {
    return next;
  }
  const bounds = [...new Set([...decision.bounded_by, ...blocks.map(ruleMessage)])];
  const ends = blocks.flatMap(({ until }) => (until === undefined ? [] : [until]));
  const [first, ...others] = ends;
  const until = first === undefined ? undefined : laterOf(others.reduce(earlierOf, first), now);
  const at = until === undefined ? undefined : laterOf(until, nextAttemptAt);
  if (at === undefined || at.getTime() > payment.windowEndsAt.getTime()) {
    return waiting(payment, next, decision, bounds);
  }
  return {
    ...next,
    nextAttemptAt: at,
    decision: { ...decision, at: at.toISOString(), bounded_by: bounds },
  };
}

function waiting(
  payment: PaymentContext,
  next: PaymentOutcome,
  decision: NonNullable<PaymentOutcome['decision']>,
  bounds: readonly string[],
): PaymentOutcome {
  const until = payment.windowEndsAt;
  return {
    ...next,
    dueAction: 'expire',
    nextAttemptAt: until,
    decision: keepingArm(
      {
        kind: 'wait_for_update',
        because: 'no method that was to be charged may be charged again inside the window',
        policy: decision.policy,
        policy_version: decision.policy_version,
        rule_pack_version: rulePackVersion,
        decided_at: decision.decided_at,
        at: until.toISOString(),
        bounded_by: bounds,
        propensity: 1,
      },
      decision,
    ),
  };
}
