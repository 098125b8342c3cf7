import { createHistory, type History } from '../../src/backtest/history.ts';
import type { ParsedAttempt } from '../../src/backtest/reading/parse-attempt.ts';
import { dayMs } from '../../src/domain/clock.ts';

/** Ten in the morning of a Monday. */
export const startMs = Date.UTC(2026, 2, 2, 10);

export interface AttemptOf {
  readonly invoice: number;
  /** Of the payer; the invoice's number where it is left out. */
  readonly customer?: number;
  /** After `startMs`. */
  readonly day: number;
  readonly succeeded?: boolean;
  readonly id?: string;
  readonly card?: string;
  readonly code?: string;
  /** Mastercard's, which makes the card one of theirs. */
  readonly advice?: string;
  readonly propensity?: number;
  readonly currency?: string;
  readonly amountMinor?: number;
}

export function historyOf(attempts: readonly AttemptOf[]): History {
  const builder = createHistory({ timeZone: 'UTC' });
  for (const [at, attempt] of attempts.entries()) builder.add(parsedOf(attempt, at));
  return builder.finish();
}

function parsedOf(attempt: AttemptOf, at: number): ParsedAttempt {
  const { invoice, customer = invoice, day, succeeded = false, code = '51' } = attempt;
  return {
    attemptId: attempt.id ?? `ch_${at}`,
    invoiceId: `in_${invoice}`,
    customerId: `cus_${customer}`,
    atMs: startMs + day * dayMs,
    amountMinor: attempt.amountMinor ?? 1_000,
    currency: attempt.currency ?? 'USD',
    succeeded,
    said:
      attempt.advice === undefined
        ? { psp: 'stripe', network: 'visa', networkCode: code }
        : { psp: 'stripe', network: 'mastercard', networkCode: code, adviceCode: attempt.advice },
    ...(attempt.card === undefined ? {} : { card: attempt.card }),
    ...(attempt.propensity === undefined ? {} : { propensity: attempt.propensity }),
  };
}
