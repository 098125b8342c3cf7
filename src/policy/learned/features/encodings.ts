import { dayMs } from '../../../domain/clock.ts';
import type { RetryFacts } from '../retry-facts.ts';
import { rounded } from '../rounded.ts';

/** What charges are grouped by, because groups differ by more than their facts tell. */
export const encodedGroups = ['bin', 'issuer', 'merchant', 'segment'] as const;
export type EncodedGroup = (typeof encodedGroups)[number];

/** Successes of a group, and those that were expected of it; both fade with age. */
export interface GroupCounts {
  readonly successes: number;
  readonly expected: number;
}

export interface Encodings {
  readonly groups: Readonly<Record<EncodedGroup, Readonly<Record<string, GroupCounts>>>>;
}

/** Expected successes that a group's counts are shrunk with: below, a group is as all others. */
const shrinkage = 15;
const halfLifeDays = 60;
/** Groups with fewer expected successes are not kept. */
const keptFrom = 1;

export const noEncodings: Encodings = {
  groups: { bin: {}, issuer: {}, merchant: {}, segment: {} },
};

/** The group's log ratio of successes to those expected, shrunk; 0 for a group that is unknown. */
export function encode(counts: GroupCounts | undefined): number {
  if (counts === undefined) return 0;
  return Math.log((counts.successes + shrinkage) / (counts.expected + shrinkage));
}

/** The names of a charge's groups; undefined where they are not known. */
export function groupKey(facts: RetryFacts, group: EncodedGroup): string | undefined {
  switch (group) {
    case 'bin':
      return facts.bin;
    case 'issuer':
      // Banks hold runs of numbers: the first four digits with the brand are a coarse issuer.
      return facts.bin === undefined ? undefined : `${facts.brand ?? ''}${facts.bin.slice(0, 4)}`;
    case 'merchant':
      return facts.merchantId;
    case 'segment':
      return facts.segment === undefined ? undefined : `${facts.merchantId}/${facts.segment}`;
  }
}

/** Counts as time passes; ask before adding, so that no charge is encoded by its own outcome. */
export interface RunningEncodings {
  encodeAt(facts: RetryFacts, group: EncodedGroup): number;
  add(facts: RetryFacts, atMs: number, succeeded: boolean, expected: number): void;
  /** The counts as of a time. */
  at(atMs: number): Encodings;
}

interface Running {
  successes: number;
  expected: number;
  atMs: number;
}

/** Counts that fade by half in sixty days; training reads the rows in order of time through one of these. */
export function runningEncodings(): RunningEncodings {
  const maps = new Map<EncodedGroup, Map<string, Running>>(
    encodedGroups.map((group) => [group, new Map()]),
  );
  const leftOf = (counts: Running, atMs: number) =>
    0.5 ** (Math.max(0, atMs - counts.atMs) / (halfLifeDays * dayMs));
  const fade = (counts: Running, atMs: number) => {
    const left = leftOf(counts, atMs);
    return { successes: counts.successes * left, expected: counts.expected * left };
  };
  return {
    encodeAt: (facts, group) => {
      const key = groupKey(facts, group);
      const counts = key === undefined ? undefined : maps.get(group)?.get(key);
      return encode(counts === undefined ? undefined : fade(counts, facts.nowMs));
    },
    add: (facts, atMs, succeeded, expected) => {
      const won = succeeded ? 1 : 0;
      for (const group of encodedGroups) {
        const key = groupKey(facts, group);
        if (key === undefined) continue;
        const counts = maps.get(group)?.get(key);
        if (counts === undefined) {
          maps.get(group)?.set(key, { successes: won, expected, atMs });
          continue;
        }
        const left = leftOf(counts, atMs);
        counts.successes = counts.successes * left + won;
        counts.expected = counts.expected * left + expected;
        counts.atMs = atMs;
      }
    },
    at: (atMs) => ({
      groups: Object.fromEntries(
        [...maps].map(([group, map]) => [
          group,
          Object.fromEntries(
            [...map]
              .map(([key, counts]) => [key, fade(counts, atMs)] as const)
              .filter(([, { expected }]) => expected >= keptFrom)
              .sort(([a], [b]) => (a < b ? -1 : 1))
              .map(([key, { successes, expected }]) => [
                key,
                { successes: rounded(successes), expected: rounded(expected) },
              ]),
          ),
        ]),
      ) as Encodings['groups'],
    }),
  };
}
