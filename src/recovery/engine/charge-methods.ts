import { addMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { keptText } from '../../domain/kept-text.ts';
import { technicalBackoffMs } from '../../domain/limits.ts';
import type { Blocked } from '../../domain/network-rules/judge-charge.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type {
  BeginChargeOutcome,
  OpenTransaction,
  PaymentContext,
  PaymentOutcome,
  TransactionOutcome,
} from '../engine-ports.ts';
import type { ChargeRequest, ChargeResult } from '../psp-ports.ts';
import {
  type AttemptInput,
  ended,
  goesOn,
  lost,
  postponed,
  succeeded,
  withOutcome,
} from './attempt-steps.ts';
import { blockedStep } from './blocked-step.ts';
import type { Check } from './check-with-merchant.ts';
import type { EngineDeps } from './deps.ts';
import { learnCard } from './learn-card.ts';
import type { ChargeMethod } from './methods-to-charge.ts';
import { nextStep } from './next-step.ts';
import { recordStep } from './record-step.ts';

/** The merchant's yes, with what it names. */
type Yes = Extract<Check, { kind: 'retry' }>;

/** No charge is begun under a yes older than this: the merchant's state may have changed. */
const yesMostMs = 5 * minuteMs;

/**
 * Charges the answered methods in their order until one succeeds. Each charge is committed before
 * it is sent; a decline leads to the next method, and so does a rule of the card's network that
 * forbids the charge; a lost answer leads to none.
 */
export async function chargeMethods(
  deps: EngineDeps,
  input: AttemptInput & { readonly check: Yes },
): Promise<void> {
  const gateway = await deps.findGateway(input.payment);
  if (gateway === undefined) {
    await endUncharged(deps, input, `charging through ${input.payment.psp} is not set up`);
    return;
  }
  let { attempt, payment } = input;
  const blocks: Blocked[] = [];
  for (const [index, method] of input.check.methods.entries()) {
    const current = { ...input, attempt, payment };
    const sent = await begin(deps, current, method);
    if (sent.kind === 'lease_lost') return;
    if (sent.kind === 'stopped') {
      await endUncharged(deps, current, 'a stop came before the charge');
      return;
    }
    if (sent.kind === 'blocked') {
      blocks.push(sent);
      continue;
    }
    const { transaction } = sent;
    const transactions = [...attempt.transactions, transaction];
    attempt = { ...attempt, state: 'charging', transactions };
    const result = isTooLate(deps, transaction)
      ? heldUp
      : await gateway.charge(chargeRequest(current, method, transaction));
    const isLast = index === input.check.methods.length - 1;
    const after = await recordResult(
      deps,
      { ...current, attempt },
      { result, transaction, isLast },
    );
    await learnCard(deps, { payment, transaction, result });
    if (after === undefined) return;
    payment = after;
    const outcome = outcomeOf(attempt.attemptId, transaction.ordinal, result);
    attempt = { ...attempt, transactions: withOutcome(attempt, outcome) };
  }
  if (blocks.length > 0) await endBlocked(deps, { ...input, attempt, payment }, blocks);
}

const heldUp: ChargeResult = {
  kind: 'not_made',
  reason: 'the worker was held up and did not send it',
};

/**
 * Whether the worker was held up between the commit and the call. A look-up takes a charge for never
 * made when the PSP does not hold it two time-outs after `sentAt`; so none is sent after the first.
 */
function isTooLate(deps: EngineDeps, transaction: OpenTransaction): boolean {
  const latest = addMs(transaction.sentAt, deps.settings.pspTimeoutMs);
  return deps.clock.now().getTime() > latest.getTime();
}

type Begun =
  | { readonly kind: 'begun'; readonly transaction: OpenTransaction }
  | Exclude<BeginChargeOutcome, { kind: 'begun' }>;

async function begin(
  deps: EngineDeps,
  input: AttemptInput & { readonly check: Yes },
  method: ChargeMethod,
): Promise<Begun> {
  const { payment, attempt, check } = input;
  const sentAt = deps.clock.now();
  // Between declines the clock runs on; a worker that slept through it must ask again.
  if (sentAt.getTime() - check.answeredAt.getTime() > yesMostMs) return { kind: 'stopped' };
  invariant(check.amountMinor <= payment.amountMinor, 'no more is charged than is owed');
  const ordinal = attempt.transactions.length + 1;
  const transaction: OpenTransaction = {
    ordinal,
    state: 'sending',
    idempotencyKey: `${attempt.attemptId}-${ordinal}`,
    paymentMethodId: method.paymentMethodId,
    amountMinor: check.amountMinor,
    currency: payment.currency,
    sentAt,
  };
  const begun = await deps.payments.beginCharge({
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    fence: payment.fence,
    attemptId: attempt.attemptId,
    psp: payment.psp,
    check: check.record,
    ...transaction,
  });
  return begun.kind === 'begun' ? { kind: 'begun', transaction } : begun;
}

/** The charge of one method under the merchant's yes. */
export function chargeRequest(
  input: { readonly payment: PaymentContext; readonly check: Yes },
  method: ChargeMethod,
  transaction: OpenTransaction,
): ChargeRequest {
  const { payment, check } = input;
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    idempotencyKey: transaction.idempotencyKey,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    ...method,
    ...(payment.pspCustomerId === undefined ? {} : { pspCustomerId: payment.pspCustomerId }),
    ...(payment.pspInvoiceId === undefined ? {} : { pspInvoiceId: payment.pspInvoiceId }),
    ...(check.metadata === undefined ? {} : { metadata: check.metadata }),
  };
}

/** Records what the PSP said; answers the payment as it stands where the next method may follow. */
async function recordResult(
  deps: EngineDeps,
  input: AttemptInput,
  charge: { result: ChargeResult; transaction: OpenTransaction; isLast: boolean },
): Promise<PaymentContext | undefined> {
  const { result, isLast } = charge;
  const transaction = outcomeOf(input.attempt.attemptId, charge.transaction.ordinal, result);
  let next: PaymentContext | undefined;
  const recorded = await recordStep(deps, {
    ...input,
    decideStep: (payment, now) => {
      const { merchant, attempt, dueAt } = input;
      const step = { payment, merchant, attempt, now, transaction };
      next = undefined;
      switch (result.kind) {
        case 'succeeded':
          return succeeded(deps, step);
        case 'unknown':
          return lost(step);
        case 'not_made': {
          const wait = Math.max(result.retryAfterMs ?? 0, technicalBackoff(payment));
          return ended(deps, {
            ...step,
            otherwise: (own) => postponed({ ...step, payment: own }, wait),
          });
        }
        case 'declined': {
          if (isLast || payment.stopReason !== undefined) {
            return ended(deps, { ...step, otherwise: (own) => nextStep(own, merchant, now) });
          }
          next = payment;
          const leaseUntil = addMs(now, deps.settings.attemptLeaseMs);
          return goesOn({ ...step, dueAt, leaseUntil });
        }
      }
    },
  });
  if (result.kind === 'unknown') deps.wake.unknownCharges();
  return recorded === 'recorded' ? next : undefined;
}

/** The wait after a charge that the PSP never took: longer with each one in a row. */
export function technicalBackoff(payment: PaymentContext): number {
  const step = Math.min(payment.postponements, technicalBackoffMs.length - 1);
  return technicalBackoffMs[step] ?? minuteMs;
}

/** What a charge's result changes in its row. */
export function outcomeOf(
  attemptId: string,
  ordinal: number,
  result: ChargeResult,
): TransactionOutcome {
  const own = { attemptId, ordinal };
  switch (result.kind) {
    case 'succeeded': {
      const { pspTransactionId, networkTransactionId } = result;
      const network = networkTransactionId === undefined ? {} : { networkTransactionId };
      return { ...own, state: 'succeeded', pspTransactionId, ...network };
    }
    case 'declined': {
      const { pspTransactionId, networkTransactionId, decline } = result;
      const { message } = decline;
      return {
        ...own,
        state: 'declined',
        decline: { ...decline, ...(message === undefined ? {} : { message: keptText(message) }) },
        ...(pspTransactionId === undefined ? {} : { pspTransactionId }),
        ...(networkTransactionId === undefined ? {} : { networkTransactionId }),
      };
    }
    case 'unknown':
    case 'not_made':
      return { ...own, state: result.kind, reason: keptText(result.reason) };
  }
}

/** The last methods were blocked by a network's rule; those before them, if any, were declined. */
async function endBlocked(
  deps: EngineDeps,
  input: AttemptInput & { readonly check: Yes },
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

/** The attempt ends before its next charge: by a stop, an old yes, or a PSP that is not set up. */
async function endUncharged(deps: EngineDeps, input: AttemptInput, because: string): Promise<void> {
  const { merchantId, invoiceId } = input.payment;
  deps.log.info({ merchantId, invoiceId, because }, 'an attempt ended before its charge');
  await endAttempt(deps, input, {
    otherwise: (own, now) => postponed({ ...input, payment: own, now }, technicalBackoff(own)),
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
