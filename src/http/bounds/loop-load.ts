import { secondMs } from '../../domain/clock.ts';

/**
 * What is given up at each level of load, the first at the lowest: what would wait for its sender's other
 * requests; reads, and whoever has yet to prove who they are; writes; webhooks of PSPs from where signed
 * ones came before. Probes are always answered.
 */
export type Priority = 'queued' | 'read' | 'write' | 'webhook';

const levels: readonly Priority[] = ['queued', 'read', 'write', 'webhook'];

/** Delays that are looked at: about a second's while somebody asks. One long piece of work is not a load. */
const maxSamples = 20;
export const sampleEveryMs = secondMs / maxSamples;

/**
 * How far this process is behind with what has arrived: the median delay of a timer. Each level begins at
 * twice the delay of the one before, and ends below half of its own, so that it does not come and go.
 */
export class LoopLoad {
  readonly #firstMs: number;
  readonly #asked: () => void;
  readonly #samples: number[] = [];
  #next = 0;
  #level = 0;

  /**
   * `firstMs`: the delay at which the first level begins; 0: nothing is ever given up. `asked` is called each time that
   * somebody goes by the load.
   */
  constructor(firstMs: number, asked: () => void = () => {}) {
    this.#firstMs = firstMs;
    this.#asked = asked;
  }

  /** Told of each delay of the timer, in milliseconds. */
  note(delayMs: number): void {
    this.#samples[this.#next] = delayMs;
    this.#next = (this.#next + 1) % maxSamples;
    if (this.#firstMs === 0 || this.#samples.length < maxSamples) return;
    const { delayMs: medianMs } = this;
    while (this.#level < levels.length && medianMs >= this.#beginsAtMs(this.#level + 1)) {
      this.#level += 1;
    }
    while (this.#level > 0 && medianMs < this.#beginsAtMs(this.#level) / 2) this.#level -= 1;
  }

  /** The median of the last delays, of a second while somebody asks; 0 before there is one. */
  get delayMs(): number {
    return this.#samples.toSorted((a, b) => a - b)[this.#samples.length >> 1] ?? 0;
  }

  /** From 0, where everything is taken, to 4. */
  get level(): number {
    return this.#level;
  }

  givesUp(priority: Priority): boolean {
    this.#asked();
    return levels.indexOf(priority) < this.#level;
  }

  #beginsAtMs(level: number): number {
    return this.#firstMs * 2 ** (level - 1);
  }
}
