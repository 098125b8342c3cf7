import type { BoundsDeps, BoundsSettings } from '../../src/http/bounds/bounds.ts';

const most = 100_000_000;

/** Limits that no load meets: what is measured is the work. */
export const unbounded: BoundsDeps & { readonly settings: BoundsSettings } = {
  elapsedMs: () => performance.now(),
  settings: {
    writesPerMinute: most,
    readsPerMinute: most,
    writesInFlight: 10_000,
    readsInFlight: 10_000,
    strangersPerMinute: most,
    connectionsPerAddress: 10_000,
  },
};
