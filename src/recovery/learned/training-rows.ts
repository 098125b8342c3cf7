import { factsOfPlan } from '../../policy/learned/facts-of-plan.ts';
import type { TrainingRow } from '../../policy/learned/retry-facts.ts';
import type { PlanInput, TryFacts } from '../../policy/plan.ts';
import type { TrainingAttempt, TrainingPayment } from './model-ports.ts';
import { cardFactsOf, paymentFactsAt } from './payer-facts.ts';
import type { PayerRecord } from './ports.ts';

/**
 * What is learned from a payment: a row for each charge that an issuer answered, with the facts as
 * they were when its time was chosen. Of a method's renewals the last one alone is kept, so that of
 * several during one recovery the earlier ones are not seen.
 */
export function trainingRowsOf(
  payment: TrainingPayment,
  record: PayerRecord | undefined,
): readonly TrainingRow[] {
  const methods = new Map(
    (record?.methods ?? []).map((method) => [method.paymentMethodId, method]),
  );
  return payment.attempts.flatMap((attempt, index) => {
    const decidedAt = decisionTime(payment, attempt);
    const plan = planAt(payment, payment.attempts.slice(0, index), decidedAt);
    const facts = paymentFactsAt(payment, record, decidedAt);
    return attempt.charges.map(({ paymentMethodId, succeeded, sentAt }) => {
      const card = cardFactsOf(methods.get(paymentMethodId) ?? { paymentMethodId }, undefined);
      return {
        facts: factsOfPlan(plan, paymentMethodId, facts, card),
        atMs: sentAt.getTime(),
        succeeded,
        propensity: attempt.decision?.propensity ?? 1,
      };
    });
  });
}

/** A decision that was made before the failure was reported knew of it all the same. */
function decisionTime(payment: TrainingPayment, { decision, startedAt }: TrainingAttempt): Date {
  const at = decision === undefined ? startedAt : new Date(decision.decided_at);
  return at.getTime() < payment.failedAt.getTime() ? payment.failedAt : at;
}

function planAt(
  payment: TrainingPayment,
  earlier: readonly TrainingAttempt[],
  now: Date,
): PlanInput {
  const [failedFirst] = payment.paymentMethodIds;
  const charged = payment.attempts.flatMap(({ charges }) =>
    charges.map(({ paymentMethodId }) => paymentMethodId),
  );
  const names = [...new Set([...payment.paymentMethodIds, ...charged])];
  return {
    now,
    settings: { kind: 'learned', windowDays: 1, maxAttempts: payment.maxAttempts, fixedDays: [] },
    failedAt: payment.failedAt,
    windowEndsAt: payment.windowEndsAt,
    firstDecline: payment.firstDecline,
    tries: earlier.map(tryOf),
    methods: names.map((paymentMethodId) => {
      const renewedAt = payment.renewedAt.get(paymentMethodId);
      return {
        paymentMethodId,
        failedFirst: paymentMethodId === failedFirst,
        ...(renewedAt !== undefined && renewedAt.getTime() <= now.getTime() && { renewedAt }),
      };
    }),
  };
}

function tryOf({ startedAt, endedAt, charges }: TrainingAttempt): TryFacts {
  return {
    startedAt,
    endedAt,
    declines: charges.flatMap(({ paymentMethodId, decline }) =>
      decline === undefined ? [] : [{ paymentMethodId, decline }],
    ),
  };
}
