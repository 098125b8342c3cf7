/**
 * Where randomness comes from. Passed in like the clock, so that a simulated world can be replayed
 * from its seed.
 */
export interface Random {
  /** `count` bytes; from the system's secure source outside simulations. */
  bytes(count: number): Uint8Array;
}

const steps = 65_536;

/** A number from 0 up to, but never, 1: one of 65,536. */
export function drawShare(random: Random): number {
  const [high = 0, low = 0] = random.bytes(2);
  return (high * 256 + low) / steps;
}
