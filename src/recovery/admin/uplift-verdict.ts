import { present } from '../../domain/present.ts';
import type { Figure, Figures, UpliftSums, Verdict } from '../uplift.ts';

/** Two-sided 95 % of the normal distribution, and 80 % to find what is there. */
const [sure, found] = [1.96, 0.84];
/** Beyond this a number of payments tells no more than that there is no difference to speak of. */
const mostNeeded = 100_000_000;

/**
 * What may be said of the money, by its own interval: that of the recovered share of the failed amount,
 * times the amount of the learned payments that are compared. `learned` and `holdout`: sums as compared.
 */
export function verdictOf(
  difference: Figures,
  learned: UpliftSums,
  holdout: UpliftSums,
): Verdict | undefined {
  const { recovered_amount_rate: share, recovered_rate: rate } = difference;
  if (share === undefined || rate === undefined) return undefined;
  const amountMinor = times(share, learned.failedMinor);
  const counts = { learned: learned.counted, holdout: holdout.counted };
  const said = { ...counts, amountMinor, rate };
  if (!('low' in share)) return { result: 'too_few', ...said };
  if (share.low > 0) return { result: 'more', ...said };
  if (share.high < 0) return { result: 'less', ...said };
  const needed = paymentsNeeded(share, counts.learned + counts.holdout);
  return { result: 'not_significant', ...said, ...present({ paymentsNeeded: needed }) };
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
  share: { readonly value: number; readonly low: number; readonly high: number },
  payments: number,
): number | undefined {
  const error = (share.high - share.low) / (2 * sure);
  const inAll = payments * (((sure + found) * error) / share.value) ** 2;
  const more = Math.max(inAll - payments, 1);
  if (!(more <= mostNeeded)) return undefined;
  const step = 10 ** Math.max(0, Math.floor(Math.log10(more)) - 1);
  return Math.ceil(more / step) * step;
}
