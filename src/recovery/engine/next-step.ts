import type { Merchant } from '../../domain/merchant.ts';
import { judgeCharge } from '../../domain/network-rules/judge-charge.ts';
import { present } from '../../domain/present.ts';
import { decide } from '../../policy/decide.ts';
import { decideLearned } from '../../policy/learned/decide-learned.ts';
import { keepingArm } from '../../policy/learned/deciding/payment-arm.ts';
import type { Plan, PlanInput, PlanMethod, TryFacts } from '../../policy/plan.ts';
import type { ContextMethod, PaymentContext, PaymentOutcome } from '../engine-ports.ts';

/** What a policy may know of a payment at `now`. */
export function planInput(payment: PaymentContext, merchant: Merchant, now: Date): PlanInput {
  return {
    now,
    settings: { ...merchant.policy, maxAttempts: payment.maxAttempts },
    failedAt: payment.failedAt,
    windowEndsAt: payment.windowEndsAt,
    firstDecline: payment.firstDecline,
    tries: payment.tries,
    methods: payment.methods.map((method) => planMethod(payment, method, now)),
  };
}

/** A method with what its network has against a charge of the whole amount now. */
function planMethod(payment: PaymentContext, method: ContextMethod, now: Date): PlanMethod {
  const { card, ...known } = method;
  if (card === undefined) return known;
  const { invoiceId, amountMinor, currency } = payment;
  const proposed = { ...card.facts, invoiceId, amountMinor, currency, at: now };
  const judged = judgeCharge(card.attempts, { ...proposed, initiator: 'mit' });
  return judged.kind === 'blocked' ? { ...known, blocked: judged } : known;
}

/** The payment with one more try in its history. */
export function withTry(payment: PaymentContext, facts: TryFacts): PaymentContext {
  return { ...payment, tries: [...payment.tries, facts] };
}

function planOf(payment: PaymentContext, merchant: Merchant, now: Date): Plan {
  const plan = planInput(payment, merchant, now);
  const { learned } = payment;
  if (merchant.policy.kind !== 'learned' || learned === undefined) return decide(plan);
  return decideLearned({ plan, ...learned });
}

/** Where a payment that is not being charged goes next: its stop, or what the policy plans. */
export function nextStep(payment: PaymentContext, merchant: Merchant, now: Date): PaymentOutcome {
  const attemptCount = payment.tries.length;
  if (payment.isPaid === true) return { state: 'recovered', attemptCount, postponements: 0 };
  if (payment.stopReason !== undefined) {
    return {
      state: 'stopped',
      stopReason: payment.stopReason,
      ...present({ stopDetail: payment.stopDetail }),
      attemptCount,
      postponements: 0,
    };
  }
  const plan = planOf(payment, merchant, now);
  const decision = keepingArm(plan.decision, payment.decision);
  const common = { attemptCount, postponements: 0, decision };
  switch (plan.kind) {
    case 'attempt':
      return { ...common, state: 'scheduled', dueAction: 'attempt', nextAttemptAt: plan.at };
    case 'wait_for_update':
      return { ...common, state: 'scheduled', dueAction: 'expire', nextAttemptAt: plan.until };
    case 'exhausted':
      return { ...common, state: 'exhausted' };
  }
}
