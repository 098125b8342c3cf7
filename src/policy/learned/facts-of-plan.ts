import { present } from '../../domain/present.ts';
import type { PlanInput } from '../plan.ts';
import { lastTriedAt, renewal } from '../renewal.ts';
import type { CardFacts, PaymentFacts, RetryFacts } from './retry-facts.ts';

/** The facts of a decision about one method, from what the plan and the merchant know. */
export function factsOfPlan(
  input: PlanInput,
  paymentMethodId: string,
  payment: PaymentFacts,
  card: CardFacts,
): RetryFacts {
  const method = input.methods.find((item) => item.paymentMethodId === paymentMethodId);
  const tries = input.tries.flatMap(({ endedAt, declines }) =>
    declines
      .filter((item) => item.paymentMethodId === paymentMethodId)
      .map(({ decline }) => ({ atMs: endedAt.getTime(), decline })),
  );
  // A method that did not fail is as a new one: what other methods were told is not of it.
  const isOther = method?.failedFirst !== true && tries.length === 0;
  const renewedAtMs = method === undefined ? 0 : renewal(method, input.failedAt);
  const since = renewedAtMs > 0 ? renewedAtMs : isOther ? lastTriedAt(input).getTime() : undefined;
  return {
    ...payment,
    ...card,
    nowMs: input.now.getTime(),
    failedAtMs: input.failedAt.getTime(),
    windowEndsAtMs: input.windowEndsAt.getTime(),
    firstDecline: input.firstDecline,
    tries,
    triesLeft: Math.max(0, input.settings.maxAttempts - input.tries.length),
    ...present({ renewedAtMs: since }),
  };
}
