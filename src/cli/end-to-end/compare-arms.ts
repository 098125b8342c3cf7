/** How one payment of the world ended. */
export interface EndToEndEnd {
  readonly index: number;
  readonly isHeldOut: boolean;
  readonly recovered: boolean;
  readonly amountMinor: number;
  readonly tries: number;
}

export interface ArmFigures {
  readonly payments: number;
  readonly recovered: number;
  readonly share: number;
  readonly amountShare: number;
  readonly tries: number;
  /** Undefined where nothing was recovered. */
  readonly triesPerRecovery: number | undefined;
}

export interface ArmComparison {
  readonly learned: ArmFigures;
  readonly holdout: ArmFigures;
  /** Recovered share of learned less that of the holdout, with its 95 % interval. */
  readonly difference: { readonly value: number; readonly low: number; readonly high: number };
  /** The same of amounts. */
  readonly amountDifference: {
    readonly value: number;
    readonly low: number;
    readonly high: number;
  };
}

const z95 = 1.96;

/**
 * Both arms, and how far they are apart. Each payer has one payment here, so payments are independent:
 * the interval is that of two means, for amounts by the delta method of a ratio.
 */
export function compareArms(ends: readonly EndToEndEnd[]): ArmComparison {
  const learned = ends.filter(({ isHeldOut }) => !isHeldOut);
  const holdout = ends.filter(({ isHeldOut }) => isHeldOut);
  return {
    learned: figures(learned),
    holdout: figures(holdout),
    difference: apart(learned, holdout, () => 1),
    amountDifference: apart(learned, holdout, ({ amountMinor }) => amountMinor),
  };
}

function figures(ends: readonly EndToEndEnd[]): ArmFigures {
  const recovered = ends.filter((end) => end.recovered).length;
  const tries = ends.reduce((sum, end) => sum + end.tries, 0);
  return {
    payments: ends.length,
    recovered,
    share: ratio(ends, () => 1).value,
    amountShare: ratio(ends, ({ amountMinor }) => amountMinor).value,
    tries,
    triesPerRecovery: recovered === 0 ? undefined : tries / recovered,
  };
}

type Weight = (end: EndToEndEnd) => number;

function apart(a: readonly EndToEndEnd[], b: readonly EndToEndEnd[], weight: Weight) {
  const [one, other] = [ratio(a, weight), ratio(b, weight)];
  const value = one.value - other.value;
  const spread = z95 * Math.sqrt(one.variance + other.variance);
  return { value, low: value - spread, high: value + spread };
}

/** Recovered weight over all weight, with the variance of that ratio. */
function ratio(ends: readonly EndToEndEnd[], weight: Weight) {
  let [got, all] = [0, 0];
  for (const end of ends) {
    all += weight(end);
    if (end.recovered) got += weight(end);
  }
  const value = all === 0 ? 0 : got / all;
  let squares = 0;
  for (const end of ends) squares += (weight(end) * (Number(end.recovered) - value)) ** 2;
  return { value, variance: all === 0 ? 0 : squares / all ** 2 };
}
