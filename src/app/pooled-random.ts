import type { Random } from '../domain/random.ts';

const poolBytes = 16 * 1024;

/**
 * Secure random bytes from a pool that is filled in large steps: a call to the system for each id
 * would cost more than the id is worth. No byte is given twice.
 */
export function pooledRandom(fill: (buffer: Uint8Array) => unknown): Random {
  const pool = new Uint8Array(poolBytes);
  let next = poolBytes;
  return {
    bytes(count) {
      if (count > poolBytes) {
        const large = new Uint8Array(count);
        fill(large);
        return large;
      }
      if (next + count > poolBytes) {
        fill(pool);
        next = 0;
      }
      const bytes = pool.slice(next, next + count);
      pool.fill(0, next, next + count);
      next += count;
      return bytes;
    },
  };
}
