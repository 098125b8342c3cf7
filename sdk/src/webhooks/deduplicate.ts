/** Where the ids of handled events are kept: your database, Redis, or `createMemoryStore`. */
export interface DeduplicationStore {
  has(id: string): boolean | Promise<boolean>;
  add(id: string): void | Promise<void>;
}

/**
 * Ids in memory, the oldest forgotten first. It serves one process until it ends; with several, or
 * across restarts, keep the ids where the event's effects are, in the same transaction if you can.
 */
export function createMemoryStore(options: { readonly maxIds?: number } = {}): DeduplicationStore {
  const maxIds = options.maxIds ?? 10_000;
  const seen = new Set<string>();
  return {
    has: (id) => seen.has(id),
    add: (id) => {
      seen.add(id);
      const [oldest] = seen;
      if (seen.size > maxIds && oldest !== undefined) seen.delete(oldest);
    },
  };
}

export type Handled = 'handled' | 'duplicate';

/** Runs the work of an event unless it has been done. Rejects as the work does. */
export type Deduplicate = (id: string, work: () => void | Promise<void>) => Promise<Handled>;

/**
 * At least once: an id is kept after its work succeeded, so work that failed, or was cut off, is done
 * again at the next delivery. Deliveries of one event that overlap in this process share one run.
 */
export function createDeduplicate(store: DeduplicationStore): Deduplicate {
  const running = new Map<string, Promise<Handled>>();
  const run = async (id: string, work: () => void | Promise<void>): Promise<Handled> => {
    if (await store.has(id)) return 'duplicate';
    await work();
    await store.add(id);
    return 'handled';
  };
  return async (id, work) => {
    const other = running.get(id);
    if (other !== undefined) {
      await other;
      return 'duplicate';
    }
    const own = run(id, work).finally(() => running.delete(id));
    running.set(id, own);
    return own;
  };
}
