import type { Result } from './setting.ts';

/** A figure with the half width of its 95 % interval. */
export interface Figure {
  readonly value: number;
  readonly half: number;
}

const z = 1.96;

/** The share recovered: of failures, or of the failed amount. Payers are the independent units. */
export function recoveredShare(result: Result, by: 'count' | 'amount'): Figure {
  const { recovered, amounts } = result;
  return ratioOf(recovered.length, (at) => {
    const weight = by === 'count' ? 1 : (amounts[at] ?? 0);
    return [weight * (recovered[at] ?? 0), weight];
  });
}

/** What a policy recovers beyond another, of the same payers. */
export function difference(policy: Result, other: Result): Figure {
  return ratioOf(policy.recovered.length, (at) => [
    (policy.recovered[at] ?? 0) - (other.recovered[at] ?? 0),
    1,
  ]);
}

/** How much of the way from the fixed schedule to the bound a policy goes, 1 being all of it. */
export function gapClosed(
  { policy, fixed, bound }: { policy: Result; fixed: Result; bound: Result },
  by: 'count' | 'amount',
): Figure {
  return ratioOf(policy.recovered.length, (at) => {
    const weight = by === 'count' ? 1 : (policy.amounts[at] ?? 0);
    const start = fixed.recovered[at] ?? 0;
    return [
      weight * ((policy.recovered[at] ?? 0) - start),
      weight * ((bound.recovered[at] ?? 0) - start),
    ];
  });
}

/** A ratio of two sums over payers, with its interval by the delta method. */
function ratioOf(count: number, termsOf: (at: number) => readonly [number, number]): Figure {
  let [part, whole] = [0, 0];
  for (let at = 0; at < count; at += 1) {
    const [a, b] = termsOf(at);
    part += a;
    whole += b;
  }
  const value = part / whole;
  let squares = 0;
  for (let at = 0; at < count; at += 1) {
    const [a, b] = termsOf(at);
    squares += (a - value * b) ** 2;
  }
  return { value, half: (z * Math.sqrt(squares)) / Math.abs(whole) };
}
