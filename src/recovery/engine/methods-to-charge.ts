import { isCardExpired } from '../../domain/card-expiry.ts';
import { limits } from '../../domain/limits.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import { lastTriedAt, renewal } from '../../policy/renewal.ts';
import type { OpenAttempt, PaymentContext } from '../engine-ports.ts';
import type { AnswerMethod } from '../merchant-ports.ts';
import type { ChargeToken } from '../psp-ports.ts';

/** One method to charge, as the merchant's answer or the plan names it. */
export interface ChargeMethod {
  readonly paymentMethodId: string;
  readonly networkTransactionId?: string;
  readonly token?: ChargeToken;
  readonly billingAddress?: JsonObject;
}

/** Why a named method is not charged. */
type SkipReason = 'removed' | 'expired' | 'hard_declined';

export interface MethodsToCharge {
  readonly methods: readonly ChargeMethod[];
  /** Kept with the merchant's answer and shown as it is. */
  readonly skipped: readonly { readonly payment_method: string; readonly why: SkipReason }[];
}

/**
 * The methods to charge: the answer's where it names any, else the plan's. One that was added or
 * updated since the last try comes first, the newest before older ones; the order is otherwise as
 * named. Skipped are those that the customer removed, whose card has expired by the time of the
 * answer, and that an issuer has refused for good; those that this attempt has charged are left out.
 */
export function methodsToCharge(
  payment: PaymentContext,
  attempt: OpenAttempt,
  answer: { readonly methods: readonly AnswerMethod[] | undefined; readonly answeredAt: Date },
): MethodsToCharge {
  const charged = attempt.transactions.map((transaction) => transaction.paymentMethodId);
  const named =
    answer.methods === undefined
      ? plannedMethods(payment, attempt)
      : answer.methods.flatMap(toChargeMethod);
  const ids = named.map((method) => method.paymentMethodId);
  const fresh = named.filter(
    ({ paymentMethodId: id }, index) => ids.indexOf(id) === index && !charged.includes(id),
  );
  const judged = newestFirst(payment, fresh).map((method) => ({
    method,
    why: skipReason(payment, method, answer.answeredAt),
  }));
  const max = limits.methodsPerAttempt - charged.length;
  return {
    methods: judged.flatMap(({ method, why }) => (why === undefined ? method : [])).slice(0, max),
    skipped: judged.flatMap(({ method, why }) =>
      why === undefined ? [] : { payment_method: method.paymentMethodId, why },
    ),
  };
}

/** The plan's methods, but for those that are the customer's no more. */
function plannedMethods(payment: PaymentContext, attempt: OpenAttempt): readonly ChargeMethod[] {
  const known = [
    ...payment.methods.map((method) => method.paymentMethodId),
    ...payment.removedMethodIds,
  ];
  return (attempt.decision?.methods ?? [])
    .filter((paymentMethodId) => known.includes(paymentMethodId))
    .map((paymentMethodId) => ({ paymentMethodId }));
}

function newestFirst(
  payment: PaymentContext,
  methods: readonly ChargeMethod[],
): readonly ChargeMethod[] {
  const since = lastTriedAt(payment);
  const renewals = new Map(
    payment.methods.map((method) => [method.paymentMethodId, renewal(method, since)]),
  );
  const renewedAt = (method: ChargeMethod): number => renewals.get(method.paymentMethodId) ?? 0;
  return methods.toSorted((a, b) => renewedAt(b) - renewedAt(a));
}

function skipReason(
  payment: PaymentContext,
  method: ChargeMethod,
  at: Date,
): SkipReason | undefined {
  const { paymentMethodId: id, token } = method;
  if (payment.removedMethodIds.includes(id)) return 'removed';
  const expiry = { month: token?.expirationMonth, year: token?.expirationYear };
  if (isCardExpired(expiry, at)) return 'expired';
  return isForbidden(payment, id) ? 'hard_declined' : undefined;
}

function toChargeMethod(method: AnswerMethod): readonly ChargeMethod[] {
  const paymentMethodId = methodName(method);
  if (paymentMethodId === undefined) return [];
  const { networkTransactionId, token, billingAddress } = method;
  return [
    {
      paymentMethodId,
      ...present({ networkTransactionId, token, billingAddress }),
    },
  ];
}

/** A method's id, or its token's where the answer gives the token alone. */
export function methodName(method: AnswerMethod): string | undefined {
  return method.id ?? method.token?.id;
}

/** Whether an issuer refused the method for good, and it was not replaced since. */
function isForbidden(payment: PaymentContext, paymentMethodId: string): boolean {
  const method = payment.methods.find((item) => item.paymentMethodId === paymentMethodId);
  const holds = (at: Date): boolean =>
    method?.renewedAt === undefined || method.renewedAt.getTime() <= at.getTime();
  if (method?.failedFirst === true && holds(payment.failedAt)) {
    if (payment.firstDecline.category === 'never') return true;
  }
  return payment.tries.some(
    (item) =>
      holds(item.endedAt) &&
      item.declines.some(
        (entry) => entry.paymentMethodId === paymentMethodId && entry.decline.category === 'never',
      ),
  );
}
