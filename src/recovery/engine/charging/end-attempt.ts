import type { Blocked } from '../../../domain/network-rules/judge-charge.ts';
import type { JsonObject } from '../../../domain/payment.ts';
import type { PaymentContext, PaymentOutcome } from '../../engine-ports.ts';
import { technicalBackoff } from '../answers/outcome-of.ts';
import { type AttemptInput, ended, postponed } from '../attempt-steps.ts';
import { blockedStep } from '../blocked-step.ts';
import { noUsableMethod } from '../check-with-merchant.ts';
import type { EngineDeps } from '../deps.ts';
import { nextStep } from '../next-step.ts';
import { recordStep } from '../record-step.ts';
import type { Charging } from './charging.ts';

const disputed = {
  stopReason: 'disputed',
  stopDetail: 'The card to charge is in an open dispute or has a fraud warning',
} as const;

/** The attempt ends before its next charge: by a stop, an old yes, or a PSP that is not set up. */
export async function endUncharged(
  deps: EngineDeps,
  input: AttemptInput,
  because: string,
): Promise<void> {
  const { merchantId, invoiceId } = input.payment;
  deps.log.info({ merchantId, invoiceId, because }, 'an attempt ended before its charge');
  await endAttempt(deps, input, {
    otherwise: (own, now) => postponed({ ...input, payment: own, now }, technicalBackoff(own)),
  });
}

/** The last methods were blocked by a network's rule; those before them, if any, were declined. */
export async function endBlocked(
  deps: EngineDeps,
  input: Charging,
  blocks: readonly Blocked[],
): Promise<void> {
  const { merchantId, invoiceId } = input.payment;
  const rules = blocks.map(({ rule }) => rule.id);
  deps.log.info({ merchantId, invoiceId, rules }, "a network's rule forbids the charge");
  await endAttempt(deps, input, {
    checkRecord: input.check.record,
    otherwise: (own, now) => blockedStep(own, input.merchant, now, blocks),
  });
}

/**
 * The last methods were removed by their customer meanwhile or are in dispute; those before them, if any, were
 * declined. Where nothing is left but what is in dispute the recovery ends as it does when the dispute is told first.
 */
export async function endSkipped(
  deps: EngineDeps,
  input: Charging,
  { isDisputed }: { readonly isDisputed: boolean },
): Promise<void> {
  const { record } = input.check;
  const isUncharged = input.attempt.transactions.length === 0;
  await endAttempt(deps, input, {
    checkRecord: isUncharged ? { ...record, refused: noUsableMethod } : record,
    otherwise: (own, now) =>
      isUncharged && isDisputed
        ? nextStep({ ...own, ...disputed }, input.merchant, now)
        : postponed({ ...input, payment: own, now }, technicalBackoff(own)),
  });
}

/** Ends the attempt with the charges it has, judged on the payment as it is now. */
async function endAttempt(
  deps: EngineDeps,
  input: AttemptInput,
  more: {
    readonly checkRecord?: JsonObject;
    readonly otherwise: (payment: PaymentContext, now: Date) => PaymentOutcome;
  },
): Promise<void> {
  const { otherwise, ...record } = more;
  const fresh = await deps.payments.load(input.payment);
  if (fresh === undefined || fresh.fence !== input.payment.fence) return;
  await recordStep(deps, {
    ...input,
    payment: fresh,
    decideStep: (payment, now) =>
      ended(deps, { ...input, ...record, payment, now, otherwise: (own) => otherwise(own, now) }),
  });
}
