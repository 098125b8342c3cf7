import type { Random } from '../../../src/domain/random.ts';
import { seeded } from '../seeded.ts';

/** Bytes that are the same at every run, for ids that stand on pages. */
export function seededRandom(seed: number): Random {
  const { int } = seeded(seed);
  return { bytes: (count) => Uint8Array.from({ length: count }, () => int(0, 255)) };
}
