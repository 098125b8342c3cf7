import type { CohortJson } from '../../api/generated/overview.ts';

/** How much more of the treated payments was recovered than of those held out. */
export interface Uplift {
  /** Difference of the shares of payments, and the ends of its 95 % interval. */
  readonly points: number;
  readonly low: number;
  readonly high: number;
  /** Money that the treated payments would not have brought at the holdout's rate. */
  readonly amount: number;
  readonly n: { readonly treated: number; readonly holdout: number };
}

/** Two-sided 95 % of the normal distribution. */
const z = 1.96;

/** Fewer on either side say nothing. */
const minPayments = 30;

/**
 * The uplift with Newcombe's interval (method 10 of his 1998 paper: Wilson's for each share, joined),
 * which holds for small numbers too. Payments that are still open count as not recovered on both
 * sides. Undefined where one side has fewer than 30 payments.
 */
export function upliftOf(treated: CohortJson, holdout: CohortJson): Uplift | undefined {
  if (treated.payments < minPayments || holdout.payments < minPayments) return undefined;
  const [a, b] = [wilson(treated), wilson(holdout)];
  const points = a.share - b.share;
  return {
    points,
    low: points - Math.hypot(a.share - a.low, b.high - b.share),
    high: points + Math.hypot(a.high - a.share, b.share - b.low),
    amount: treated.recovered.amount - (holdout.recovered.amount / holdout.amount) * treated.amount,
    n: { treated: treated.payments, holdout: holdout.payments },
  };
}

/** Wilson's interval of a share. */
export function wilson({ payments: n, recovered }: Pick<CohortJson, 'payments' | 'recovered'>): {
  readonly share: number;
  readonly low: number;
  readonly high: number;
} {
  const share = recovered.payments / n;
  const centre = (share + (z * z) / (2 * n)) / (1 + (z * z) / n);
  const spread =
    (z / (1 + (z * z) / n)) * Math.sqrt((share * (1 - share)) / n + (z * z) / (4 * n * n));
  return { share, low: centre - spread, high: centre + spread };
}
