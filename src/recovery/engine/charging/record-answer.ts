import { addMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import type { PaymentContext } from '../../engine-ports.ts';
import { whatDiffers } from '../answers/judge-answer.ts';
import { outcomeOf, paidElsewhere, technicalBackoff } from '../answers/outcome-of.ts';
import { takeAnswer } from '../answers/take-answer.ts';
import { type AttemptInput, ended, goesOn, lost, postponed, succeeded } from '../attempt-steps.ts';
import type { EngineDeps } from '../deps.ts';
import { nextStep } from '../next-step.ts';
import { recordStep, type Step } from '../record-step.ts';
import type { AnsweredCharge } from './charging.ts';

/** The payment as it stands after a decline or a refused request, held for the next method. */
export interface HeldOn {
  readonly payment: PaymentContext;
  readonly leaseUntil: Date;
}

/**
 * Records what the PSP said of a charge, and undefined where no other method may follow. An answer
 * outlives the attempt that asked for it: where the lease is lost, or what was made is not what was
 * sent, `takeAnswer` records it beside the attempt.
 */
export async function recordAnswer(
  deps: EngineDeps,
  input: AttemptInput,
  answer: AnsweredCharge & { readonly isLast: boolean },
): Promise<HeldOn | undefined> {
  if (!isAsSent(answer)) {
    await takeDefinite(deps, input, answer);
    return undefined;
  }
  const recorded = await recordStep(deps, {
    ...input,
    decideStep: (payment, now) => stepAfter(deps, { ...input, payment, now }, answer),
  });
  if (recorded.kind !== 'recorded') {
    await takeDefinite(deps, input, answer);
    return undefined;
  }
  const { leaseUntil } = recorded.step.payment;
  return leaseUntil && { payment: recorded.payment, leaseUntil };
}

/** What an answer makes of the payment as it is now; a step with a lease leads to the next method. */
function stepAfter(
  deps: Pick<EngineDeps, 'random' | 'settings'>,
  input: AttemptInput & { readonly now: Date },
  answer: AnsweredCharge & { readonly isLast: boolean },
): Step {
  const { payment, merchant, attempt, dueAt, now } = input;
  const { result, isLast } = answer;
  const transaction = outcomeOf(attempt.attemptId, answer.transaction.ordinal, result);
  const step = { payment, merchant, attempt, now, transaction };
  const mayGoOn = !isLast && payment.stopReason === undefined;
  const nextMethod = () =>
    goesOn({ ...step, dueAt, leaseUntil: addMs(now, deps.settings.attemptLeaseMs) });
  switch (result.kind) {
    case 'succeeded':
      return succeeded(deps, step);
    case 'unknown':
      return lost(step);
    case 'paid_elsewhere':
      return ended(deps, {
        ...step,
        payment: paidElsewhere(payment, result.reason),
        otherwise: (own) => nextStep(own, merchant, now),
      });
    case 'not_made': {
      if (result.isRequestRefused === true && mayGoOn) return nextMethod();
      const wait = Math.max(result.retryAfterMs ?? 0, technicalBackoff(payment));
      return ended(deps, {
        ...step,
        otherwise: (own) => postponed({ ...step, payment: own }, wait),
      });
    }
    case 'declined':
      if (mayGoOn) return nextMethod();
      return ended(deps, { ...step, otherwise: (own) => nextStep(own, merchant, now) });
  }
}

/** Whether the PSP made the charge that was sent, where it says what it made. */
function isAsSent({ result, transaction, isLive }: AnsweredCharge): boolean {
  const told = 'told' in result ? result.told : undefined;
  return whatDiffers({ transaction }, told, isLive) === undefined;
}

/** The lease, or what the step was decided on, is lost; a definite answer is not. */
async function takeDefinite(
  deps: EngineDeps,
  input: AttemptInput,
  { result, transaction, isLive }: AnsweredCharge,
): Promise<void> {
  if (result.kind === 'unknown') return;
  await takeAnswer(deps, {
    merchantId: input.payment.merchantId,
    idempotencyKey: transaction.idempotencyKey,
    result,
    ...present({ isLive }),
  });
}
