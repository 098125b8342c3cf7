import { minuteMs, secondMs } from '../../../domain/clock.ts';
import { invariant } from '../../../domain/errors.ts';
import { present } from '../../../domain/present.ts';
import type {
  BeginChargeOutcome,
  CardHistory,
  OpenAttempt,
  OpenTransaction,
  PaymentContext,
} from '../../engine-ports.ts';
import { chargeKey } from '../charge-key.ts';
import type { EngineDeps } from '../deps.ts';
import type { Charging } from './charging.ts';

/** No charge is begun under a yes older than this: the merchant's state may have changed. */
const maxYesAgeMs = 5 * minuteMs;
/** What was read of a card longer ago is read again. */
const maxCardAgeMs = 10 * secondMs;

/** A charge that is committed and may be sent, or why it is not begun. */
export type Begun =
  | (Extract<BeginChargeOutcome, { kind: 'begun' }> & { readonly transaction: OpenTransaction })
  | Exclude<BeginChargeOutcome, { kind: 'begun' }>;

/**
 * Commits the charge of a method as `sending`, before anything is sent: a worker that dies afterwards
 * leaves it there, and the next holder asks for it instead of making it again.
 */
export async function beginCharge(
  deps: Pick<EngineDeps, 'clock' | 'payments'>,
  input: Charging,
  charge: { readonly paymentMethodId: string; readonly connectionVersion: number },
): Promise<Begun> {
  const { payment, attempt, check } = input;
  const { paymentMethodId, connectionVersion } = charge;
  const sentAt = deps.clock.now();
  // Between declines the clock runs on; a worker that slept through it must ask again.
  if (sentAt.getTime() - check.answeredAt.getTime() > maxYesAgeMs) return { kind: 'stopped' };
  invariant(check.amountMinor <= payment.amountMinor, 'no more is charged than is owed');
  const transaction: OpenTransaction = {
    ordinal: attempt.transactions.length + 1,
    state: 'sending',
    idempotencyKey: keyOf(payment, attempt, paymentMethodId),
    paymentMethodId,
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
    startedAt: attempt.startedAt,
    ...transaction,
    ...present({ card: cardReadJustNow(input, transaction) }),
  });
  return begun.kind === 'begun' ? { ...begun, transaction } : begun;
}

/**
 * The card as it was read when the payment was claimed, while that is seconds ago: each charge that is begun
 * or reported changes its version, but what merchants say of its method does not.
 */
function cardReadJustNow(
  { payment, attempt }: Charging,
  { paymentMethodId, sentAt }: OpenTransaction,
): CardHistory | undefined {
  if (sentAt.getTime() - attempt.startedAt.getTime() > maxCardAgeMs) return undefined;
  return payment.methods.find((method) => method.paymentMethodId === paymentMethodId)?.card;
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
