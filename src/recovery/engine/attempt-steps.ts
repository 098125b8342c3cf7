import { addMs, laterOf, secondMs } from '../../domain/clock.ts';
import type { Hold } from '../../domain/held-back.ts';
import { maxUnreachedTries, resolveWaitMs } from '../../domain/limits.ts';
import type { Merchant } from '../../domain/merchant.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { Random } from '../../domain/random.ts';
import type { AttemptState } from '../../domain/states.ts';
import type {
  AttemptOutcome,
  OpenAttempt,
  OpenTransaction,
  PaymentContext,
  PaymentOutcome,
  TransactionOutcome,
} from '../engine-ports.ts';
import { retryResult } from './announce.ts';
import { withDeclines } from './card-history.ts';
import { nextStep, withTry } from './next-step.ts';
import type { Step } from './record-step.ts';

/**
 * The steps that end an attempt, each a pure account of what changes. An attempt whose charges
 * reached the PSP has one event; one that charged nothing has none.
 */
export interface StepInput {
  readonly payment: PaymentContext;
  readonly merchant: Merchant;
  readonly attempt: OpenAttempt;
  readonly now: Date;
}

/** An attempt under way: the payment as it was read, and when it was due. */
export interface AttemptInput {
  readonly payment: PaymentContext;
  readonly merchant: Merchant;
  readonly attempt: OpenAttempt;
  readonly dueAt: Date;
  readonly hold: Hold;
}

type Deps = { readonly random: Random };

/** The charge went through: the payment is recovered, also where a stop came too late. */
export function succeeded(
  deps: Deps,
  input: StepInput & { readonly transaction: TransactionOutcome },
): Step {
  const { payment, attempt, now } = input;
  const transactions = withOutcome(attempt, input.transaction);
  return {
    transaction: input.transaction,
    attempt: toAttemptOutcome(attempt, 'succeeded'),
    payment: { state: 'recovered', attemptCount: payment.tries.length + 1, postponements: 0 },
    events: [retryResult(deps, { payment, attemptId: attempt.attemptId, transactions, at: now })],
  };
}

/**
 * The attempt is over without a success. With a decline in it, it is a try: the result is reported
 * and the policy plans on. Without one nothing was charged, and `otherwise` says what comes next.
 */
export function ended(
  deps: Deps,
  input: StepInput & {
    readonly transaction?: TransactionOutcome;
    /** What the final check said, where it ended the attempt. */
    readonly checkRecord?: JsonObject;
    readonly otherwise: (payment: PaymentContext) => PaymentOutcome;
  },
): Step {
  const { payment, merchant, attempt, now } = input;
  const transactions = withOutcome(attempt, input.transaction);
  const declines = transactions.flatMap(({ paymentMethodId, decline, state }) =>
    state === 'declined' && decline !== undefined ? [{ paymentMethodId, decline }] : [],
  );
  const reached = declines.length > 0;
  const state: AttemptState = reached ? 'declined' : 'not_attempted';
  const common = {
    ...present({ transaction: input.transaction }),
    attempt: toAttemptOutcome(attempt, state, input.checkRecord),
  };
  if (!reached) {
    const stops = payment.stopReason !== undefined || payment.isPaid === true;
    const next = stops ? nextStep(payment, merchant, now) : input.otherwise(payment);
    return { ...common, payment: next };
  }
  const facts = { startedAt: attempt.startedAt, endedAt: now, declines };
  const tried = withTry(withDeclines(payment, transactions), facts);
  const event = retryResult(deps, { payment, attemptId: attempt.attemptId, transactions, at: now });
  return { ...common, payment: nextStep(tried, merchant, now), events: [event] };
}

/**
 * The answer to a charge was lost. The payment is left without a due time: nothing happens to it
 * until the PSP's own record resolves the charge.
 */
export function lost(
  input: Omit<StepInput, 'merchant'> & { readonly transaction: TransactionOutcome },
): Step {
  const { payment, attempt, now } = input;
  return {
    transaction: {
      ...input.transaction,
      state: 'unknown',
      lookUpAt: addMs(now, resolveWaitMs(0) ?? secondMs),
    },
    attempt: toAttemptOutcome(attempt, 'unknown'),
    payment: {
      state: 'attempting',
      ...stopOf(payment),
      attemptCount: payment.tries.length + 1,
      postponements: payment.postponements,
    },
  };
}

/** One method was declined, or refused by the PSP, and the next one follows, under the same yes and a renewed lease. */
export function goesOn(input: {
  readonly payment: PaymentContext;
  readonly attempt: OpenAttempt;
  readonly transaction: TransactionOutcome;
  readonly dueAt: Date;
  readonly leaseUntil: Date;
}): Step {
  const { payment, attempt } = input;
  return {
    transaction: input.transaction,
    attempt: toAttemptOutcome(attempt, 'charging'),
    payment: {
      state: 'attempting',
      ...stopOf(payment),
      attemptCount: payment.tries.length,
      postponements: payment.postponements,
      dueAction: 'attempt',
      nextAttemptAt: input.dueAt,
      leaseUntil: input.leaseUntil,
    },
  };
}

/**
 * The same attempt again after a wait, or the window's end where that comes first. What the
 * merchant said about methods meanwhile is planned for, but leads to nothing before the wait is
 * over.
 */
export function postponed(
  input: Pick<StepInput, 'payment' | 'merchant' | 'now'>,
  afterMs: number,
): PaymentOutcome {
  const { payment, merchant, now } = input;
  const anew = isOutdated(payment) ? nextStep(payment, merchant, now) : undefined;
  if (anew !== undefined && anew.dueAction !== 'attempt') return anew;
  const postponements = payment.postponements + 1;
  if (postponements >= maxUnreachedTries) {
    return {
      state: 'scheduled',
      attemptCount: payment.tries.length,
      postponements,
      dueAction: 'plan',
      setAside: `${postponements} tries in a row reached no PSP`,
    };
  }
  const at = laterOf(addMs(now, afterMs), anew?.nextAttemptAt ?? now);
  const inTime = at.getTime() < payment.windowEndsAt.getTime();
  return {
    state: 'scheduled',
    attemptCount: payment.tries.length,
    postponements,
    ...(anew?.decision !== undefined && { decision: anew.decision }),
    dueAction: inTime ? 'attempt' : 'expire',
    nextAttemptAt: inTime ? at : payment.windowEndsAt,
  };
}

/** Whether a method was renewed or removed since the payment was planned. */
function isOutdated({ decision, methods }: PaymentContext): boolean {
  if (decision === undefined) return false;
  const decidedAtMs = Date.parse(decision.decided_at);
  const names = methods.map((method) => method.paymentMethodId);
  return (
    methods.some((method) => (method.renewedAt?.getTime() ?? 0) > decidedAtMs) ||
    (decision.methods ?? []).some((name) => !names.includes(name))
  );
}

/** A stop that was asked for stays with the payment while its attempt goes on. */
function stopOf(payment: PaymentContext): Pick<PaymentOutcome, 'stopReason' | 'stopDetail'> {
  return {
    ...present({ stopReason: payment.stopReason, stopDetail: payment.stopDetail }),
  };
}

/** What became of the attempt, under the yes that it had where the end brings no other answer. */
export function toAttemptOutcome(
  attempt: OpenAttempt,
  state: AttemptState,
  check = attempt.check,
): AttemptOutcome {
  const { attemptId, startedAt } = attempt;
  const { amountMinor, currency } = attempt.transactions.at(-1) ?? {};
  return { attemptId, state, startedAt, ...present({ check, amountMinor, currency }) };
}

/** The attempt's charges, with what became of one of them. */
export function withOutcome(
  attempt: OpenAttempt,
  outcome: TransactionOutcome | undefined,
): readonly OpenTransaction[] {
  if (outcome === undefined) return attempt.transactions;
  return attempt.transactions.map((transaction) =>
    transaction.ordinal === outcome.ordinal ? { ...transaction, ...outcome } : transaction,
  );
}
