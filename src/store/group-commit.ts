import { onNobodysBehalf } from './pool/behalf.ts';

/**
 * Lets concurrent callers share transactions. Items that arrive while the batches in flight are busy
 * wait for the next one, so the batch grows with the load and a lone caller waits for nobody.
 *
 * A statement costs as much to start as ten of its items, so with `beside` a batch begins beside
 * another only with so many items, or when that one is slow: what waits for a lock holds up nobody else.
 *
 * `run` gets the batch and answers one result per item, in order. When it throws, every item of the
 * batch fails with that error, unless `isolate` says that the items should be tried one by one:
 * one bad row must not fail its neighbours.
 */
export function groupCommit<Item, Result>(
  options: Batches<Item, Result> & {
    readonly maxBatchSize: number;
    readonly maxInFlight: number;
    /** Default: with any, at once. */
    readonly beside?: { readonly minItems: number; readonly afterMs: number };
  },
): (item: Item) => Promise<Result> {
  const { maxBatchSize, maxInFlight, beside } = options;
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let slow = 0;
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    while (inFlight < maxInFlight && waiting.length >= minItems()) {
      begin(waiting.splice(0, maxBatchSize));
    }
  }

  function minItems(): number {
    return inFlight === slow ? 1 : (beside?.minItems ?? 1);
  }

  function begin(batch: readonly Waiting<Item, Result>[]): void {
    inFlight += 1;
    const isOver = watch();
    void settle(options, batch).finally(() => {
      inFlight -= 1;
      isOver();
      flush();
    });
  }

  /** Counts a batch among the slow ones from when it is until it is over. */
  function watch(): () => void {
    if (beside === undefined) return () => undefined;
    let isSlow = false;
    const timer = setTimeout(() => {
      isSlow = true;
      slow += 1;
      flush();
    }, beside.afterMs);
    return () => {
      clearTimeout(timer);
      if (isSlow) slow -= 1;
    };
  }

  return (item) =>
    new Promise<Result>((resolve, reject) => {
      waiting.push({ item, resolve, reject });
      if (scheduled) return;
      scheduled = true;
      // After this turn of the event loop: all requests that were read from the sockets together
      // then share the batch.
      // What they share is nobody's: one that leaves ends nothing of the others.
      onNobodysBehalf(() => setImmediate(flush));
    });
}

interface Waiting<Item, Result> {
  readonly item: Item;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

async function settle<Item, Result>(
  options: Batches<Item, Result>,
  batch: readonly Waiting<Item, Result>[],
): Promise<void> {
  try {
    const results = await options.run(batch.map((waiter) => waiter.item));
    for (const [index, waiter] of batch.entries()) waiter.resolve(results[index] as Result);
  } catch (error) {
    if (batch.length > 1 && options.isolate?.(error) === true) {
      for (const waiter of batch) await settle(options, [waiter]);
      return;
    }
    for (const waiter of batch) waiter.reject(error);
  }
}

interface Batches<Item, Result> {
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly isolate?: (error: unknown) => boolean;
}
