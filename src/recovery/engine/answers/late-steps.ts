import type { Merchant } from '../../../domain/merchant.ts';
import { present } from '../../../domain/present.ts';
import type { Random } from '../../../domain/random.ts';
import { isFinal } from '../../../domain/states.ts';
import { truncatedText } from '../../../domain/truncated-text.ts';
import type {
  NewEvent,
  OpenTransaction,
  PaymentContext,
  TransactionOutcome,
} from '../../engine-ports.ts';
import type { IncidentSide, NewIncident } from '../../incidents/incident-ports.ts';
import type { ChargeResult } from '../../psp-ports.ts';
import { endOfDunning, retryResult } from '../announce.ts';
import { toAttemptOutcome, withOutcome } from '../attempt-steps.ts';
import { withDeclines } from '../card-history.ts';
import { type CustomerActionDeps, customerAction } from '../customer-action.ts';
import { nextStep, withTry } from '../next-step.ts';
import type { AnsweredCharge, LateAnswer } from './answer-ports.ts';
import { outcomeOf } from './outcome-of.ts';

/** An answer that a charge was made, one way or the other. */
export type MadeResult = Extract<ChargeResult, { kind: 'succeeded' | 'declined' }>;

export interface LateInput {
  readonly charge: AnsweredCharge;
  readonly payment: PaymentContext;
  readonly merchant: Merchant;
  readonly result: MadeResult;
  readonly now: Date;
}

type Deps = CustomerActionDeps & { readonly random: Random };
type Change = Pick<LateAnswer, 'transaction' | 'attempt' | 'payment' | 'isTry' | 'stops'> & {
  readonly events?: readonly NewEvent[];
  readonly incident?: NewIncident;
};

/**
 * A charge that was taken for never made was made. A success recovers its payment from whatever state,
 * since the money was taken; beside another attempt, the payment is recovered when that one has ended.
 * A decline is a try like any other.
 */
export function late(deps: Deps, input: LateInput): Change {
  return input.result.kind === 'succeeded' ? lateSuccess(deps, input) : lateDecline(deps, input);
}

function lateSuccess(deps: Deps, input: LateInput): Change {
  const { charge, payment, merchant, now } = input;
  const transaction = own(input);
  const common = {
    transaction,
    attempt: toAttemptOutcome(charge.attempt, 'succeeded'),
  };
  const told = result(deps, input, transaction);
  if (charge.isBeside) return { ...common, isTry: isNewTry(charge), stops: true, events: [told] };
  const end = isFinal(payment.state)
    ? []
    : endOfDunning(deps, { payment, merchant, state: 'recovered', at: now });
  const next = { state: 'recovered', attemptCount: tries(input), postponements: 0 } as const;
  const wait = customerAction(deps, { payment, merchant, next, at: now });
  return { ...common, payment: next, events: [told, ...wait, ...end] };
}

function lateDecline(deps: Deps, input: LateInput): Change {
  const { charge, payment, merchant, now } = input;
  const { attempt } = charge;
  const transaction = own(input);
  const transactions = withOutcome(attempt, transaction);
  const isNew = isNewTry(charge);
  const common = {
    transaction,
    ...(isNew && { attempt: toAttemptOutcome(attempt, 'declined') }),
    events: charge.isTold ? [] : [result(deps, input, transaction)],
  };
  if (payment.state !== 'scheduled') return { ...common, isTry: isNew };
  const known = withDeclines(payment, transactions);
  const facts = { startedAt: attempt.startedAt, endedAt: now, declines: declinesOf(transactions) };
  const tried = isNew ? withTry(known, facts) : known;
  const next = nextStep(tried, merchant, now);
  const wait = customerAction(deps, { payment: tried, merchant, next, at: now });
  return { ...common, payment: next, events: [...common.events, ...wait] };
}

/** A second success of a debt: recorded and told as it is, and a person has to give one back. */
export function secondSuccess(deps: Deps, input: LateInput): Change {
  const { charge, payment } = input;
  const { attempt, transaction: before } = charge;
  const incident = incidentOf(input, 'two_successes', {
    detail: 'two charges of one debt succeeded',
  });
  // What was recorded and told as declined stays so; the incident has what the PSP says.
  if (before.state === 'declined') return { transaction: unchanged(charge), incident };
  const transaction = own(input);
  const isOpen = before.state !== 'not_made';
  return {
    transaction: { ...transaction, contradicts: true },
    attempt: { ...toAttemptOutcome(attempt, 'succeeded'), contradicts: true },
    ...(isOpen
      ? { payment: { state: 'recovered', attemptCount: tries(input), postponements: 0 } as const }
      : { isTry: isNewTry(charge) }),
    events: [
      result(deps, input, transaction),
      ...(isOpen && !isFinal(payment.state)
        ? endOfDunning(deps, { ...input, state: 'recovered', at: input.now })
        : []),
    ],
    incident,
  };
}

/** The record stays as it was told to the merchant; the incident has the other one beside it. */
export function contradicted(input: LateInput): Change {
  const recorded = input.charge.transaction.state;
  const told = input.result.kind;
  return {
    transaction: unchanged(input.charge),
    incident: incidentOf(input, 'contradiction', {
      detail: `the PSP says ${told} of a charge that is recorded as ${recorded}`,
    }),
  };
}

/** The PSP made another charge than was sent: an open one stays unknown until a person decides. */
export function differing(input: LateInput, where: 'amount' | 'mode'): Change {
  const { charge, payment } = input;
  const { attempt, transaction } = charge;
  const isAmount = where === 'amount';
  const detail = isAmount
    ? 'the PSP says another amount of a charge than was sent'
    : 'the PSP says another mode of a charge, test or live, than that of its connection';
  const incident = incidentOf(input, isAmount ? 'amount_differs' : 'mode_differs', { detail });
  if (transaction.state !== 'sending' && transaction.state !== 'unknown') return { incident };
  const { attemptId } = attempt;
  const { ordinal } = transaction;
  const isNew = attempt.state !== 'unknown';
  return {
    transaction: { attemptId, ordinal, state: 'unknown', reason: detail },
    attempt: toAttemptOutcome(attempt, 'unknown'),
    payment: {
      state: 'attempting',
      ...present({ stopReason: payment.stopReason, stopDetail: payment.stopDetail }),
      attemptCount: payment.tries.length + (isNew ? 1 : 0),
      postponements: payment.postponements,
    },
    incident,
  };
}

function own({ charge, result: told }: LateInput): TransactionOutcome {
  return outcomeOf(charge.attempt.attemptId, charge.transaction.ordinal, told);
}

/** The charge as it is recorded, to be marked as contradicted. */
function unchanged({ attempt, transaction }: AnsweredCharge) {
  const { ordinal, state, pspTransactionId, networkTransactionId, decline } = transaction;
  return {
    attemptId: attempt.attemptId,
    ordinal,
    state,
    ...present({ pspTransactionId, networkTransactionId, decline }),
    contradicts: true,
  };
}

/** An attempt counts as a try once the PSP has taken one of its charges. */
function isNewTry({ attempt }: AnsweredCharge): boolean {
  return attempt.state !== 'succeeded' && attempt.state !== 'declined';
}

function tries({ charge, payment }: LateInput): number {
  return payment.tries.length + (isNewTry(charge) ? 1 : 0);
}

function result(deps: Deps, input: LateInput, transaction: TransactionOutcome): NewEvent {
  const { charge, payment, now } = input;
  const { attemptId } = charge.attempt;
  const transactions = withOutcome(charge.attempt, transaction);
  const event = retryResult(deps, { payment, attemptId, transactions, at: now });
  return charge.isTold ? { ...event, isLate: true } : event;
}

function declinesOf(transactions: readonly OpenTransaction[]) {
  return transactions.flatMap(({ paymentMethodId, decline, state }) =>
    state === 'declined' && decline !== undefined ? [{ paymentMethodId, decline }] : [],
  );
}

function incidentOf(
  { charge, result: told, now }: LateInput,
  kind: NewIncident['kind'],
  { detail }: { readonly detail: string },
): NewIncident {
  const { merchantId, invoiceId, psp, transaction } = charge;
  const { amountMinor, currency, idempotencyKey } = transaction;
  const ours: IncidentSide = {
    state: transaction.state,
    amountMinor,
    currency,
    at: transaction.sentAt,
    ...present({ isLive: charge.isLive, pspTransactionId: transaction.pspTransactionId }),
  };
  const theirs: IncidentSide = {
    state: told.kind,
    amountMinor: told.told?.amountMinor ?? amountMinor,
    currency: told.told?.currency ?? currency,
    at: now,
    ...present({ pspTransactionId: told.pspTransactionId }),
    ...(told.told?.isLive !== undefined && { isLive: told.told.isLive }),
  };
  return {
    merchantId,
    kind,
    subject: `${idempotencyKey} ${told.kind}`,
    invoiceId,
    psp,
    connectionVersion: transaction.connectionVersion,
    charge: idempotencyKey,
    ours,
    theirs,
    detail: truncatedText(detail),
    at: now,
  };
}
