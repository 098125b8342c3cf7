import { createHash } from 'node:crypto';
import { addressBlock } from '../server/address-block.ts';
import type { Answer } from '../server/answer.ts';
import type { Entry, Lanes } from './lanes.ts';

/** Proofs that are remembered; then all are forgotten, and have to be proved again. */
const maxProofs = 10_000;

/**
 * Who has yet to prove who they are waits in the lane of their address, so that guesses and unsigned
 * calls cost everybody else little, and none of anybody's quota. What was proved passes without
 * waiting: nobody is kept out by others at the same address.
 */
export class Strangers {
  readonly #lanes: Lanes;
  readonly #proofs = new Set<string>();

  constructor(lanes: Lanes) {
    this.#lanes = lanes;
  }

  /** The API's 429 for a sender whose turn is too far off. */
  refused(tooMany: (retryAfterSeconds: number) => Answer): Answer {
    return this.#lanes.refused(tooMany);
  }

  /** After `entered`, `leave` has to be called once; `known` has nothing to leave. */
  async enter(of: {
    readonly address: string | undefined;
    /** What would prove it: a credential, say. Kept as a hash, in memory alone. */
    readonly proof?: string;
    readonly isGone: () => boolean;
  }): Promise<Entry | 'known'> {
    if (of.proof !== undefined && this.#proofs.has(digestOf(of.proof))) return 'known';
    return this.#lanes.enter(addressBlock(of.address), of.isGone);
  }

  leave(address: string | undefined): void {
    this.#lanes.leave(addressBlock(address));
  }

  proved(proof: string): void {
    if (this.#proofs.size >= maxProofs) this.#proofs.clear();
    this.#proofs.add(digestOf(proof));
  }

  disproved(proof: string): void {
    this.#proofs.delete(digestOf(proof));
  }
}

function digestOf(proof: string): string {
  return createHash('sha256').update(proof).digest('base64');
}
