import { present } from '../../domain/present.ts';
import type { Figure, Figures, UpliftSums, Verdict } from '../uplift.ts';

/** Two-sided 95 % of the normal distribution, and 80 % to find what is there. */
const [sure, found] = [1.96, 0.84];
/** Beyond this a number of payments tells no more than that there is no difference to speak of. */
const mostNeeded = 100_000_000;

/**
 * What may be said of the money and of the rate, each by its own interval: that of the recovered share of the failed
 * amount, times the amount of the learned payments that are compared, and that of the recovered share of payments.
 * `learned` and `holdout`: sums as compared.
 */
export function verdictOf(
  difference: Figures,
  learned: UpliftSums,
  holdout: UpliftSums,
): Verdict | undefined {
  const { recovered_amount_rate: share, recovered_rate: rate } = difference;
  if (share === undefined || rate === undefined) return undefined;
  const counts = { learned: learned.counted, holdout: holdout.counted };
  const payments = counts.learned + counts.holdout;
  const ofRate = judged(rate, payments);
  return {
    ...judged(share, payments),
    ...counts,
    amountMinor: times(share, learned.failedMinor),
    rate,
    rateResult: ofRate.result,
    ...present({ ratePaymentsNeeded: ofRate.paymentsNeeded }),
  };
}

function judged(difference: Figure, payments: number): Pick<Verdict, 'result' | 'paymentsNeeded'> {
  if (!('low' in difference)) return { result: 'too_few' };
  if (difference.low > 0) return { result: 'more' };
  if (difference.high < 0) return { result: 'less' };
  const needed = paymentsNeeded(difference, payments);
  return { result: 'not_significant', ...present({ paymentsNeeded: needed }) };
}

function times(figure: Figure, by: number): Figure {
  const value = figure.value * by;
  return 'low' in figure ? { value, low: figure.low * by, high: figure.high * by } : { value };
}

/**
 * How many payments more would show the difference that is seen, were it the true one, four times in
 * five: the width of the interval falls with the root of the number of payments (docs/uplift.md).
 */
function paymentsNeeded(
  difference: { readonly value: number; readonly low: number; readonly high: number },
  payments: number,
): number | undefined {
  const error = (difference.high - difference.low) / (2 * sure);
  const inAll = payments * (((sure + found) * error) / difference.value) ** 2;
  const more = Math.max(inAll - payments, 1);
  if (!(more <= mostNeeded)) return undefined;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(more)) - 1);
  return Math.ceil(more / step) * step;
}
