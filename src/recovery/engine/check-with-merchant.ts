import { checkBackoffMs, maxRetryAfterMs } from '../../domain/limits.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { decimalNumber, minorFromDecimal } from '../../domain/money.ts';
import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import { drawShare, type Random } from '../../domain/random.ts';
import { truncatedText } from '../../domain/truncated-text.ts';
import type { OpenAttempt, PaymentContext } from '../engine-ports.ts';
import type { RetryStatusAnswer } from '../merchant-ports.ts';
import type { EngineDeps } from './deps.ts';
import { type ChargeMethod, methodName, methodsToCharge } from './methods-to-charge.ts';

/** What the final check means. `record` is what is kept of the answer: never a token. */
export type Check =
  | {
      readonly kind: 'retry';
      readonly amountMinor: number;
      readonly methods: readonly ChargeMethod[];
      readonly metadata?: JsonObject;
      readonly answeredAt: Date;
      readonly record: JsonObject;
    }
  | {
      readonly kind: 'stop';
      readonly reason: 'merchant_declined_retry' | 'invoice_not_found';
      readonly detail: string;
      readonly record: JsonObject;
    }
  | { readonly kind: 'postpone'; readonly afterMs: number; readonly record: JsonObject };

/** Of a yes under which nothing can be charged: `refused` in what is kept of it. */
export const noUsableMethod = 'no usable payment method was answered';

/**
 * Asks the merchant's server for the final yes. Only an explicit one leads to a charge: every other
 * answer stops the payment or postpones the attempt.
 */
export async function checkWithMerchant(
  deps: Pick<EngineDeps, 'clock' | 'random' | 'merchants' | 'merchantClient' | 'log'>,
  input: {
    readonly payment: PaymentContext;
    readonly merchant: Merchant;
    readonly attempt: OpenAttempt;
  },
): Promise<Check> {
  const { payment, merchant } = input;
  const answer = await deps.merchantClient.askRetryStatus({
    merchant,
    secrets: await deps.merchants.merchantSecrets(merchant.merchantId),
    invoiceId: payment.merchantInvoiceId ?? payment.invoiceId,
    ...present({ custom: payment.custom }),
  });
  const answeredAt = deps.clock.now();
  const check = judge(deps.random, { ...input, answer, answeredAt });
  if (answer.kind === 'no_answer') {
    const { merchantId, invoiceId } = payment;
    deps.log.warn(
      { merchantId, invoiceId, cause: answer.cause, detail: answer.detail },
      'no usable answer to the retry-status check; the attempt is postponed',
    );
  }
  return check;
}

function judge(
  random: Random,
  input: {
    readonly payment: PaymentContext;
    readonly attempt: OpenAttempt;
    readonly answer: RetryStatusAnswer;
    readonly answeredAt: Date;
  },
): Check {
  const { payment, attempt, answer, answeredAt } = input;
  const at = answeredAt.toISOString();
  switch (answer.kind) {
    case 'retry':
      return judgeYes(payment, attempt, answer, answeredAt);
    case 'do_not_retry': {
      const detail = truncatedText(answer.reason);
      const record = { retry: false, reason: detail, answered_at: at };
      return { kind: 'stop', reason: 'merchant_declined_retry', detail, record };
    }
    case 'not_found': {
      const detail = truncatedText(answer.detail);
      const record = { retry: false, status: 404, detail, answered_at: at };
      return { kind: 'stop', reason: 'invoice_not_found', detail, record };
    }
    case 'rate_limited': {
      // The least wait, not the whole of it: a server that says `0` again and again is not flooded.
      const minMs = Math.min(answer.retryAfterMs ?? 0, maxRetryAfterMs);
      const waitMs = backoff(payment);
      // Whoever is limited again was asked together with others: all of them at once once more would meet the same
      // limit, and only as many would get through each time as the server takes in a moment.
      const spreadMs =
        payment.postponements === 0 ? 0 : Math.floor(drawShare(random) * (waitMs / 2));
      const afterMs = Math.max(minMs, waitMs) + spreadMs;
      return { kind: 'postpone', afterMs, record: { status: 429, answered_at: at } };
    }
    case 'no_answer': {
      const record = { cause: answer.cause, detail: answer.detail, answered_at: at };
      return { kind: 'postpone', afterMs: backoff(payment), record };
    }
  }
}

/** The wait before a check is made again: longer with each one in a row that failed. */
function backoff(payment: PaymentContext): number {
  const step = Math.min(payment.postponements, checkBackoffMs.length - 1);
  return checkBackoffMs[step] ?? maxRetryAfterMs;
}

function judgeYes(
  payment: PaymentContext,
  attempt: OpenAttempt,
  answer: Extract<RetryStatusAnswer, { kind: 'retry' }>,
  answeredAt: Date,
): Check {
  const record: JsonObject = {
    retry: true,
    reason: truncatedText(answer.reason),
    answered_at: answeredAt.toISOString(),
    ...present({ amount: answer.amount }),
    ...(answer.paymentMethods !== undefined && {
      payment_methods: answer.paymentMethods.map((method) => methodName(method) ?? 'unnamed'),
    }),
  };
  const amountMinor = owedAmount(payment, answer.amount);
  if (typeof amountMinor === 'string') {
    return {
      kind: 'postpone',
      afterMs: backoff(payment),
      record: { ...record, refused: amountMinor },
    };
  }
  const { methods, skipped } = methodsToCharge(payment, attempt, {
    methods: answer.paymentMethods,
    answeredAt,
  });
  const withSkipped = skipped.length === 0 ? record : { ...record, skipped };
  if (methods.length === 0) {
    const record = { ...withSkipped, refused: noUsableMethod };
    return { kind: 'postpone', afterMs: backoff(payment), record };
  }
  return {
    kind: 'retry',
    amountMinor,
    methods,
    answeredAt,
    record: withSkipped,
    ...present({ metadata: answer.metadata }),
  };
}

/** A yes with what it named but for a method that may not be charged, as is known since. */
export function withoutMethod(
  check: Extract<Check, { kind: 'retry' }>,
  paymentMethodId: string,
  why: 'removed' | 'disputed',
): Extract<Check, { kind: 'retry' }> {
  const { skipped } = check.record;
  const before = Array.isArray(skipped) ? skipped : [];
  const passedOver = [...before, { payment_method: paymentMethodId, why }];
  return { ...check, record: { ...check.record, skipped: passedOver } };
}

/** The amount to charge in minor units, or why the answered one is refused. */
function owedAmount(payment: PaymentContext, amount: number | undefined): number | string {
  if (amount === undefined) return payment.amountMinor;
  const parsed = minorFromDecimal(amount, payment.currency);
  if ('fault' in parsed) return `the answered amount is not one of ${payment.currency}`;
  if (parsed.amountMinor === 0) return 'the answered amount is zero';
  if (parsed.amountMinor > payment.amountMinor) {
    const owed = decimalNumber({ amountMinor: payment.amountMinor, currency: payment.currency });
    return `the answered amount is higher than the ${owed} ${payment.currency} owed`;
  }
  return parsed.amountMinor;
}
