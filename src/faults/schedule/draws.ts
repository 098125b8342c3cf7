import type { Random } from '../../domain/random.ts';

/** Seeded draws: the same seed and the same questions give the same answers. */
export interface Draws extends Random {
  /** At least 0 and less than 1. */
  unit(): number;
  /** A whole number from `least` to `most`, both included. */
  whole(min: number, max: number): number;
  chance(share: number): boolean;
  pick<Item>(items: readonly Item[]): Item;
  /** Draws of its own, so that what one part asks changes nothing for the others. */
  fork(name: string): Draws;
}

/** xoshiro128** (Blackman and Vigna), its state filled by splitmix32. */
export function createDraws(seed: number): Draws {
  const next = xoshiro(seed);
  const unit = () => next() / 2 ** 32;
  const whole = (min: number, max: number) => min + Math.floor(unit() * (max - min + 1));
  return {
    unit,
    whole,
    chance: (share) => unit() < share,
    pick(items) {
      const item = items[whole(0, items.length - 1)];
      if (item === undefined) throw new Error('there is nothing to pick from');
      return item;
    },
    bytes(count) {
      const bytes = new Uint8Array(count);
      for (let index = 0; index < count; index += 1) bytes[index] = next() >>> 24;
      return bytes;
    },
    fork: (name) => createDraws(hashOf(`${seed}/${name}`)),
  };
}

/** FNV-1a over the text's UTF-16 units. */
export function hashOf(text: string): number {
  let hash = 0x811c9dc5;
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193);
  }
  return hash >>> 0;
}

function xoshiro(seed: number): () => number {
  let mixed = seed >>> 0;
  const fill = () => {
    mixed = (mixed + 0x9e3779b9) >>> 0;
    let z = mixed;
    z = Math.imul(z ^ (z >>> 16), 0x85ebca6b);
    z = Math.imul(z ^ (z >>> 13), 0xc2b2ae35);
    return (z ^ (z >>> 16)) >>> 0;
  };
  let [a, b, c, d] = [fill(), fill(), fill(), fill()];
  return () => {
    const result = Math.imul(rotated(Math.imul(b, 5), 7), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = rotated(d, 11);
    return result;
  };
}

function rotated(value: number, by: number): number {
  return (value << by) | (value >>> (32 - by));
}
