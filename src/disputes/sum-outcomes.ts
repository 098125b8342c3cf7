import { present } from '../domain/present.ts';
import type { DisputeOutcomes } from './report-ports.ts';

const countNames = ['disputes', 'open', 'won', 'lost', 'accepted', 'expired', 'withdrawn'] as const;

/** How disputes ended, of all merchants that were asked for together. */
export type OutcomeSums = Omit<DisputeOutcomes, 'merchantId'>;

export interface SummedOutcomes {
  readonly whole: OutcomeSums;
  /** Of each network, and of each network and reason; the most disputes first. */
  readonly networks: readonly OutcomeSums[];
  readonly reasons: readonly OutcomeSums[];
}

/** Sums over merchants: of all disputes, by network, and by network and reason. */
export function sumOutcomes(items: readonly DisputeOutcomes[]): SummedOutcomes {
  const [whole = nothing] = sumsOf(items, () => ({}));
  return {
    whole,
    networks: sumsOf(items, ({ network }) => ({ network })),
    reasons: sumsOf(items, ({ network, reasonFamily, reasonCode }) => ({
      network,
      reasonFamily,
      reasonCode,
    })),
  };
}

const nothing: OutcomeSums = {
  disputes: 0,
  open: 0,
  won: 0,
  lost: 0,
  accepted: 0,
  expired: 0,
  withdrawn: 0,
};

type Key = { readonly [Name in 'network' | 'reasonFamily' | 'reasonCode']?: DisputeOutcomes[Name] };

function sumsOf(
  items: readonly DisputeOutcomes[],
  keyOf: (item: DisputeOutcomes) => { readonly [Name in keyof Key]: Key[Name] | undefined },
): readonly OutcomeSums[] {
  const sums = new Map<string, OutcomeSums>();
  for (const item of items) {
    const key = keyOf(item);
    const name = JSON.stringify([key.network, key.reasonFamily, key.reasonCode]);
    const before = sums.get(name) ?? nothing;
    const counts = countNames.map((each) => [each, before[each] + item[each]] as const);
    const summed = Object.fromEntries(counts) as Record<(typeof countNames)[number], number>;
    sums.set(name, { ...present(key), ...summed });
  }
  return [...sums.values()].toSorted((a, b) => b.disputes - a.disputes);
}
