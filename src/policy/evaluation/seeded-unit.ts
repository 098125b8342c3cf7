/** A source of numbers from 0 up to, not including, 1. */
export type UnitSource = () => number;

/**
 * Numbers that a seed decides: the same seed, the same interval. Mulberry32 (Ettinger, public
 * domain): 32 bits of state are enough to resample with.
 */
export function seededUnit(seed: number): UnitSource {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
