import type { RetryFacts } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';

/** By currency: the mean logarithm of the amounts, in minor units, that a model was made from. */
export type UsualAmounts = Readonly<Record<string, number>>;

/** Amounts of one currency say nothing of another's: what is usual is counted for each. */
export function usualAmountsOf(all: readonly RetryFacts[]): UsualAmounts {
  const sums = new Map<string, { total: number; count: number }>();
  for (const { currency, amountMinor } of all) {
    const sum = sums.get(currency) ?? { total: 0, count: 0 };
    sums.set(currency, sum);
    sum.total += logOf(amountMinor);
    sum.count += 1;
  }
  const names = [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(
    names.map(([currency, { total, count }]) => [currency, rounded(total / count)]),
  );
}

/** The amount against what is usual in its currency (logarithm); 0 in a currency that was not seen. */
export function againstUsual(
  { currency, amountMinor }: Pick<RetryFacts, 'currency' | 'amountMinor'>,
  usual: UsualAmounts,
): number {
  const known = Object.hasOwn(usual, currency) ? usual[currency] : undefined;
  return known === undefined ? 0 : logOf(amountMinor) - known;
}

function logOf(amountMinor: number): number {
  return Math.log(Math.max(1, amountMinor));
}
