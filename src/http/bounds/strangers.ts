import { createHash } from 'node:crypto';
import { AppError } from '../../domain/errors.ts';
import { addressBlock } from '../server/address-block.ts';
import type { Answer } from '../server/answer.ts';
import type { Entry, Lanes } from './lanes.ts';
import type { LoopLoad } from './loop-load.ts';

/** Proofs that are remembered; then all are forgotten, and have to be proved again. */
const maxProofs = 10_000;

/**
 * Who has yet to prove who they are waits in the lane of their address, so that guesses and unsigned
 * calls cost everybody else little, and none of anybody's quota. What was proved passes without
 * waiting: nobody is kept out by others at the same address.
 */
export class Strangers {
  readonly #lanes: Lanes;
  readonly #load: LoopLoad;
  readonly #proofs = new Set<string>();

  constructor(lanes: Lanes, load: LoopLoad) {
    this.#lanes = lanes;
    this.#load = load;
  }

  /** The API's 429 for a sender whose turn is too far off. */
  refused(tooMany: (retryAfterSeconds: number) => Answer): Answer {
    return this.#lanes.refused(tooMany);
  }

  /**
   * After `entered`, `leave` has to be called once; `known` has nothing to leave.
   *
   * @throws AppError service_busy for a stranger while the process is behind
   */
  async enter(of: {
    readonly address: string | undefined;
    /** What would prove it: a credential, say. Kept as a hash, in memory alone. */
    readonly proof?: string;
    readonly isGone: () => boolean;
    /** What it takes of the address's pace, where that is more than one of its requests. */
    readonly weight?: number;
  }): Promise<Entry | 'known'> {
    if (of.proof !== undefined && this.#proofs.has(digestOf(of.proof))) return 'known';
    if (this.#load.givesUp('read')) throw new AppError('service_busy');
    return this.#lanes.enter(addressBlock(of.address), of.isGone, of.weight);
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
