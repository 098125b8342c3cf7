import type { DisputeOutcomesJson } from '../../api/generated/dispute-reports.ts';

type Item = DisputeOutcomesJson['items'][number];

const outcomeNames = [
  'disputes',
  'open',
  'won',
  'lost',
  'accepted',
  'expired',
  'withdrawn',
] as const;
export type OutcomeName = (typeof outcomeNames)[number];

/** How the disputes of one network, or of one reason of it, ended; of all merchants that were asked for. */
export type Outcomes = Readonly<Record<OutcomeName, number>> & {
  /** Absent where it is not known, or where networks are summed. */
  readonly network?: string | undefined;
  readonly reason_family?: string | undefined;
  readonly reason_code?: string | undefined;
};

/** Sums what agrees in `key`, the most disputes first. */
export function sumOutcomes(
  items: readonly Item[],
  key: (item: Item) => Pick<Outcomes, 'network' | 'reason_family' | 'reason_code'>,
): readonly Outcomes[] {
  const sums = new Map<string, Outcomes>();
  for (const item of items) {
    const of = key(item);
    const name = JSON.stringify([of.network, of.reason_family, of.reason_code]);
    const before = sums.get(name);
    const counts = outcomeNames.map((each) => [each, (before?.[each] ?? 0) + item[each]] as const);
    sums.set(name, { ...of, ...(Object.fromEntries(counts) as Record<OutcomeName, number>) });
  }
  return [...sums.values()].sort((a, b) => b.disputes - a.disputes);
}
