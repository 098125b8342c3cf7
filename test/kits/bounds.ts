import type { BoundsDeps, BoundsSettings } from '../../src/http/bounds/bounds.ts';

/** Limits that no test meets, but for those that it sets. */
export function wideBounds(
  changes: Partial<BoundsSettings> = {},
): BoundsDeps & { readonly settings: BoundsSettings } {
  return {
    elapsedMs: () => performance.now(),
    settings: {
      writesPerMinute: 1_000_000,
      readsPerMinute: 1_000_000,
      writesInFlight: 1_000,
      readsInFlight: 1_000,
      strangersPerMinute: 1_000_000,
      connectionsPerAddress: 10_000,
      ...changes,
    },
  };
}
