/**
 * Where randomness comes from. Passed in like the clock, so that a simulated world can be replayed
 * from its seed.
 */
export interface Random {
  /** `count` bytes; from the system's secure source outside simulations. */
  bytes(count: number): Uint8Array;
}
