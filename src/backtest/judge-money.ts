import {
  evaluateOffPolicy,
  type OffPolicyEstimate,
  type Refusal,
} from '../policy/evaluation/off-policy.ts';
import { seededUnit } from '../policy/evaluation/seeded-unit.ts';
import type { Episode } from './episodes.ts';
import type { History } from './history.ts';
import { numbered, type Sequences } from './sequences.ts';

/** Payments of one currency that failed at first. */
export interface FailedMoney {
  readonly currency: string;
  readonly payments: number;
  /** What was due of them, in minor units. */
  readonly amountMinor: number;
}

/** What a policy would have recovered of a currency, by payment: minor units. */
export interface MoneyVerdict extends FailedMoney {
  readonly perPayment: OffPolicyEstimate | Refusal;
}

/** What failed, by currency, the most payments first. */
export function failedMoney(
  history: History,
  episodes: readonly Episode[],
): readonly FailedMoney[] {
  const byCurrency = Map.groupBy(episodes, (episode) => dueOf(history, episode).currency);
  return [...byCurrency]
    .map(([currency, failed]) => ({
      currency,
      payments: failed.length,
      amountMinor: failed.reduce((sum, each) => sum + dueOf(history, each).amountMinor, 0),
    }))
    .sort((a, b) => b.payments - a.payments || (a.currency < b.currency ? -1 : 1));
}

/**
 * The whole sequence again, with what was due in place of one for each recovered payment. Currencies stand
 * apart, so each must carry its own claim.
 */
export function judgeMoney(input: {
  readonly history: History;
  readonly sequences: Sequences;
  readonly failed: readonly FailedMoney[];
  readonly seed: number;
}): readonly MoneyVerdict[] {
  const { history, sequences, failed, seed } = input;
  const { ends, propensities, targets, recovered } = sequences;
  const due = ends.map(({ episode }) => dueOf(history, episode));
  return failed.map((money) => {
    const places = [...due.keys()].filter((at) => due[at]?.currency === money.currency);
    const pick = (values: Float64Array) => Float64Array.from(places, (at) => values[at] ?? 0);
    const perPayment = evaluateOffPolicy(
      {
        called: 'payments',
        clusters: numbered(places.flatMap((at) => ends[at] ?? [])),
        propensities: pick(propensities),
        targets: pick(targets),
        rewards: Float64Array.from(
          places,
          (at) => (recovered[at] ?? 0) * (due[at]?.amountMinor ?? 0),
        ),
      },
      seededUnit(seed),
    );
    return { ...money, perPayment };
  });
}

/** What the payment was for: of its first attempt. */
function dueOf(history: History, { rows }: Episode) {
  const first = rows[0] ?? -1;
  return {
    currency: history.currencyNames[history.currencies[first] ?? -1] ?? '',
    amountMinor: history.amountsMinor[first] ?? 0,
  };
}
