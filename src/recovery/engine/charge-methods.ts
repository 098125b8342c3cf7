import { addMs, minuteMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Blocked } from '../../domain/network-rules/judge-charge.ts';
import type { JsonObject } from '../../domain/payment.ts';
import type {
  BeginChargeOutcome,
  OpenAttempt,
  OpenTransaction,
  PaymentContext,
  PaymentOutcome,
} from '../engine-ports.ts';
import type { ChargeRequest, ChargeResult } from '../psp-ports.ts';
import { modeOf, whatDiffers } from './answers/judge-answer.ts';
import { lookFirst } from './answers/look-first.ts';
import { outcomeOf, paidElsewhere, technicalBackoff } from './answers/outcome-of.ts';
import { takeAnswer } from './answers/take-answer.ts';
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
import { chargeKey } from './charge-key.ts';
import type { Check } from './check-with-merchant.ts';
import type { EngineDeps } from './deps.ts';
import { learnCard } from './learn-card.ts';
import type { ChargeMethod } from './methods-to-charge.ts';
import { nextStep } from './next-step.ts';
import { recordStep } from './record-step.ts';
import { holdForCharge, isDropped, lateBecause, sendByOf } from './time/holding.ts';

/** The merchant's yes, with what it names. */
type Yes = Extract<Check, { kind: 'retry' }>;

/** No charge is begun under a yes older than this: the merchant's state may have changed. */
const maxYesAgeMs = 5 * minuteMs;

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
  let { attempt, payment, hold } = input;
  const blocks: Blocked[] = [];
  for (const [index, method] of input.check.methods.entries()) {
    const renewed = await holdForCharge(deps, { hold, payment });
    if (renewed === undefined || isDropped(deps, { hold, payment })) return;
    hold = renewed;
    const current = { ...input, attempt, payment, hold };
    const sent = await begin(deps, current, method, gateway.connection?.version ?? 1);
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
    const found = await lookFirst(deps, { gateway, payment, transaction, begun: sent.begun });
    const sendBy = sendByOf(deps, { hold, sentAt: transaction.sentAt });
    const request = chargeRequest(current, method, { ...transaction, sendBy });
    const late = lateBecause(deps, { hold, sendBy });
    const made = () => (late === undefined ? gateway.charge(request) : heldUp(late));
    const result = found ?? (await made());
    const isLast = index === input.check.methods.length - 1;
    const after = await recordResult(
      deps,
      { ...current, attempt },
      { result, transaction, isLast, ...modeOf(gateway) },
    );
    await learnCard(deps, { payment, transaction, result });
    if (after === undefined) return;
    payment = after.payment;
    hold = { ...hold, leaseUntil: after.leaseUntil };
    const outcome = outcomeOf(attempt.attemptId, transaction.ordinal, result);
    attempt = { ...attempt, transactions: withOutcome(attempt, outcome) };
  }
  if (blocks.length > 0) await endBlocked(deps, { ...input, attempt, payment }, blocks);
}

function heldUp(reason: string): ChargeResult {
  return { kind: 'not_made', reason };
}

type Begun =
  | {
      readonly kind: 'begun';
      readonly transaction: OpenTransaction;
      readonly begun: Extract<BeginChargeOutcome, { kind: 'begun' }>;
    }
  | Exclude<BeginChargeOutcome, { kind: 'begun' }>;

async function begin(
  deps: EngineDeps,
  input: AttemptInput & { readonly check: Yes },
  method: ChargeMethod,
  connectionVersion: number,
): Promise<Begun> {
  const { payment, attempt, check } = input;
  const sentAt = deps.clock.now();
  // Between declines the clock runs on; a worker that slept through it must ask again.
  if (sentAt.getTime() - check.answeredAt.getTime() > maxYesAgeMs) return { kind: 'stopped' };
  invariant(check.amountMinor <= payment.amountMinor, 'no more is charged than is owed');
  const ordinal = attempt.transactions.length + 1;
  const transaction: OpenTransaction = {
    ordinal,
    state: 'sending',
    idempotencyKey: keyOf(payment, attempt, method.paymentMethodId),
    paymentMethodId: method.paymentMethodId,
    amountMinor: check.amountMinor,
    currency: payment.currency,
    sentAt,
    connectionVersion,
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
  return begun.kind === 'begun' ? { kind: 'begun', transaction, begun } : begun;
}

/** The key of the method's next try: a new one only after a definite decline. */
function keyOf(payment: PaymentContext, attempt: OpenAttempt, paymentMethodId: string): string {
  const { merchantId, invoiceId } = payment;
  const declined = [
    ...payment.tries.flatMap((item) => item.declines),
    ...attempt.transactions.filter(({ state }) => state === 'declined'),
  ].filter((entry) => entry.paymentMethodId === paymentMethodId);
  return chargeKey({ merchantId, invoiceId, paymentMethodId, number: declined.length + 1 });
}

/** The charge of one method under the merchant's yes. */
export function chargeRequest(
  input: { readonly payment: PaymentContext; readonly check: Yes },
  method: ChargeMethod,
  transaction: OpenTransaction & { readonly sendBy: Date },
): ChargeRequest {
  const { payment, check } = input;
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    idempotencyKey: transaction.idempotencyKey,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    sendBy: transaction.sendBy,
    ...method,
    ...(payment.pspCustomerId === undefined ? {} : { pspCustomerId: payment.pspCustomerId }),
    ...(payment.pspInvoiceId === undefined ? {} : { pspInvoiceId: payment.pspInvoiceId }),
    ...(check.metadata === undefined ? {} : { metadata: check.metadata }),
  };
}

/**
 * Records what the PSP said; answers the payment as it stands, and its renewed lease, where the next
 * method may follow.
 */
async function recordResult(
  deps: EngineDeps,
  input: AttemptInput,
  charge: Sent & { isLast: boolean },
): Promise<{ payment: PaymentContext; leaseUntil: Date } | undefined> {
  const { result, isLast } = charge;
  const transaction = outcomeOf(input.attempt.attemptId, charge.transaction.ordinal, result);
  let next: { payment: PaymentContext; leaseUntil: Date } | undefined;
  const record = isAsSent(charge) ? recordStep : leaveToIncident;
  const recorded = await record(deps, {
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
        case 'paid_elsewhere':
          return ended(deps, {
            ...step,
            payment: paidElsewhere(payment, result.reason),
            otherwise: (own) => nextStep(own, merchant, now),
          });
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
          const leaseUntil = addMs(now, deps.settings.attemptLeaseMs);
          next = { payment, leaseUntil };
          return goesOn({ ...step, dueAt, leaseUntil });
        }
      }
    },
  });
  if (recorded === 'recorded') {
    if (result.kind === 'unknown') deps.wake.unknownCharges();
    return next;
  }
  // The lease, or what the step was decided on, is lost; the answer is not.
  if (result.kind !== 'unknown') await takeAnswer(deps, { ...charged(input, charge), result });
  return undefined;
}

/** A charge and its answer, with whether real money moves at the account that it was sent through. */
interface Sent {
  readonly result: ChargeResult;
  readonly transaction: OpenTransaction;
  readonly isLive?: boolean;
}

/** Whether the PSP made the charge that was sent, where it says what it made. */
function isAsSent({ result, transaction, isLive }: Sent): boolean {
  const told = 'told' in result ? result.told : undefined;
  return whatDiffers({ transaction }, told, isLive) === undefined;
}

const leaveToIncident: typeof recordStep = async () => 'lease_lost';

function charged(input: AttemptInput, { transaction, isLive }: Omit<Sent, 'result'>) {
  const { merchantId } = input.payment;
  const { idempotencyKey } = transaction;
  return { merchantId, idempotencyKey, ...(isLive !== undefined && { isLive }) };
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
