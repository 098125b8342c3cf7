export interface ShareSettings {
  /** Places that there are: connections of the pool. */
  readonly places: number;
  /** Places that one sender may hold at a time. */
  readonly perSender: number;
  /** How long somebody waits for one. */
  readonly waitMs: number;
}

/** `own_share`: the sender held all that it may have; `all`: others held them, or there are too few. */
export type Entry = 'entered' | 'given_up' | 'own_share' | 'all';

interface Waiting {
  readonly resolve: (entry: Entry) => void;
}

/** What belongs to no sender: background work, and what many senders share. */
const house = '';

/**
 * The places of a pool, shared by who asks for them. One sender never has more than its share, all senders together
 * leave a quarter to the work of the service itself, which records what each of them is answered. Who
 * waits is served in turns, a place for each sender, however many of one sender wait.
 */
export class Shares {
  readonly #settings: ShareSettings;
  readonly #forSenders: number;
  readonly #perSender: number;
  readonly #held = new Map<string, number>();
  /** In the order of their turns. */
  readonly #lines = new Map<string, Set<Waiting>>();
  #taken = 0;

  constructor(settings: ShareSettings) {
    const { places, perSender } = settings;
    this.#settings = settings;
    this.#forSenders = places === 1 ? 1 : places - Math.max(1, Math.floor(places / 4));
    this.#perSender = Math.min(perSender, this.#forSenders);
  }

  /** Whether a place was free, and nobody waits before; `leave` has to be called once then. */
  take(sender = house): boolean {
    return this.#lines.size === 0 && this.#take(sender);
  }

  /** Waits for a place where none is free. After `entered`, `leave` has to be called once. */
  enter(sender = house, signal?: AbortSignal): Promise<Entry> {
    return new Promise((resolve) => {
      const end = (entry: Entry): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', giveUp);
        this.#leaveLine(sender, waiting);
        resolve(entry);
      };
      const waiting: Waiting = { resolve: end };
      const giveUp = () => end('given_up');
      const timer = setTimeout(() => end(this.#whyFull(sender)), this.#settings.waitMs);
      timer.unref();
      signal?.addEventListener('abort', giveUp);
      const line = this.#lines.get(sender) ?? new Set();
      this.#lines.set(sender, line.add(waiting));
      this.#serve();
    });
  }

  leave(sender = house): void {
    const held = (this.#held.get(sender) ?? 0) - 1;
    if (held > 0) this.#held.set(sender, held);
    else this.#held.delete(sender);
    this.#taken -= 1;
    this.#serve();
  }

  #take(sender: string): boolean {
    if (this.#taken >= this.#settings.places) return false;
    const held = this.#held.get(sender) ?? 0;
    if (sender !== house) {
      if (held >= this.#perSender) return false;
      if (this.#taken - this.#heldByHouse >= this.#forSenders) return false;
    }
    this.#held.set(sender, held + 1);
    this.#taken += 1;
    return true;
  }

  get #heldByHouse(): number {
    return this.#held.get(house) ?? 0;
  }

  #whyFull(sender: string): Entry {
    return sender !== house && (this.#held.get(sender) ?? 0) >= this.#perSender
      ? 'own_share'
      : 'all';
  }

  #serve(): void {
    for (const [sender, line] of [...this.#lines]) {
      const [first] = line;
      if (first === undefined || !this.#take(sender)) continue;
      // Its next turn is after everybody else's.
      this.#lines.delete(sender);
      this.#lines.set(sender, line);
      first.resolve('entered');
    }
  }

  #leaveLine(sender: string, waiting: Waiting): void {
    const line = this.#lines.get(sender);
    line?.delete(waiting);
    if (line?.size === 0) this.#lines.delete(sender);
  }
}
