import { addMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Hold } from '../../domain/held-back.ts';
import { present } from '../../domain/present.ts';
import { askForInvoice } from '../debts/ask-for-invoice.ts';
import type { DuePayment, PaymentContext } from '../engine-ports.ts';
import { technicalBackoff } from './answers/outcome-of.ts';
import { type AttemptInput, ended, lost, postponed } from './attempt-steps.ts';
import { chargeMethods } from './charging/charge-methods.ts';
import { type Check, checkWithMerchant } from './check-with-merchant.ts';
import type { EngineDeps } from './deps.ts';
import { nextStep } from './next-step.ts';
import { recordStep } from './record-step.ts';
import { isDropped } from './time/holding.ts';

/**
 * How long after its window's end a try may start that was due at the last moment of it, as the last
 * one of an even schedule is: until it is taken, a moment always passes.
 */
const maxLateStartMs = minuteMs;

/**
 * Does what is due with a payment that was claimed: plans it, ends it, or tries it. Safe to run
 * again after a crash anywhere: each step is decided from what is committed.
 */
export async function runDuePayment(deps: EngineDeps, due: DuePayment, hold: Hold): Promise<void> {
  const { payment } = due;
  const merchant = await deps.merchants.findMerchant(payment.merchantId);
  invariant(merchant !== undefined, 'a payment belongs to a merchant');
  if (isDropped(deps, { payment, hold })) return;
  if (due.dueAction !== 'attempt') {
    const decideStep = (fresh: PaymentContext, now: Date) => ({
      payment: nextStep(fresh, merchant, now),
    });
    await recordStep(deps, { payment, merchant, decideStep });
    return;
  }
  invariant(due.attempt !== undefined, 'a payment that is attempted has an open attempt');
  await attemptPayment(deps, { payment, merchant, attempt: due.attempt, dueAt: due.dueAt, hold });
}

async function attemptPayment(deps: EngineDeps, input: AttemptInput): Promise<void> {
  const { payment, attempt } = input;
  const sending = attempt.transactions.find((transaction) => transaction.state === 'sending');
  if (sending !== undefined) {
    await recordLost(deps, input, sending.ordinal);
    return;
  }
  if (payment.stopReason !== undefined || hasWindowEnded(payment, deps.clock.now())) {
    await endWithoutCheck(deps, input);
    return;
  }
  const asked = await askForInvoice(deps, input);
  if (asked.kind === 'lease_lost') return;
  if (asked.kind === 'postpone') {
    await endUnasked(deps, input);
    return;
  }
  const known = { ...input, payment: asked.payment };
  if (asked.payment.stopReason !== undefined) {
    await endWithoutCheck(deps, known);
    return;
  }
  const check = await checkWithMerchant(deps, known);
  if (isDropped(deps, input)) return;
  if (check.kind === 'retry') await chargeMethods(deps, { ...known, check });
  else await endByCheck(deps, known, check);
}

function hasWindowEnded(payment: PaymentContext, now: Date): boolean {
  return now.getTime() > addMs(payment.windowEndsAt, maxLateStartMs).getTime();
}

/** A worker died with a charge on its way: whether it was made, the PSP's record must say. */
async function recordLost(deps: EngineDeps, input: AttemptInput, ordinal: number): Promise<void> {
  const { attempt } = input;
  await recordStep(deps, {
    ...input,
    decideStep: (payment, now) =>
      lost({
        payment,
        attempt,
        now,
        transaction: {
          attemptId: attempt.attemptId,
          ordinal,
          state: 'unknown',
          reason: 'the worker ended before the answer came',
        },
      }),
  });
}

async function endWithoutCheck(deps: EngineDeps, input: AttemptInput): Promise<void> {
  const { stopReason, stopDetail } = input.payment;
  const stop = {
    ...present({ stopReason, stopDetail }),
  };
  await recordStep(deps, {
    ...input,
    decideStep: (fresh, now) =>
      ended(deps, {
        ...input,
        // A debt that has ended stays so, whatever came from outside meanwhile.
        payment: { ...stop, ...fresh },
        now,
        otherwise: (current) => nextStep(current, input.merchant, now),
      }),
  });
}

/** Without the PSP's word on where the debt lives nothing is charged: it is asked again later. */
async function endUnasked(deps: EngineDeps, input: AttemptInput): Promise<void> {
  await recordStep(deps, {
    ...input,
    decideStep: (payment, now) =>
      ended(deps, {
        ...input,
        payment,
        now,
        otherwise: (own) => postponed({ ...input, payment: own, now }, technicalBackoff(own)),
      }),
  });
}

async function endByCheck(
  deps: EngineDeps,
  input: AttemptInput,
  check: Exclude<Check, { kind: 'retry' }>,
): Promise<void> {
  await recordStep(deps, {
    ...input,
    decideStep: (payment, now) => {
      const judged: PaymentContext =
        check.kind === 'stop' && payment.stopReason === undefined
          ? { ...payment, stopReason: check.reason, stopDetail: check.detail }
          : payment;
      // After a crash a charge of this attempt may stand under an earlier yes: that answer stays.
      const keepsYes = input.attempt.transactions.length > 0;
      return ended(deps, {
        ...input,
        payment: judged,
        now,
        ...(!keepsYes && { checkRecord: check.record }),
        otherwise: (current) =>
          postponed(
            { ...input, payment: current, now },
            check.kind === 'postpone' ? check.afterMs : 0,
          ),
      });
    },
  });
}
