import { onNobodysBehalf } from './pool/behalf.ts';

/**
 * Lets concurrent callers share transactions. Items that arrive while the batches in flight are busy
 * wait for the next one, so the batch grows with the load and a lone caller waits for nobody.
 *
 * `run` gets the batch and answers one result per item, in order. When it throws, every item of the
 * batch fails with that error, unless `isolate` says that the items should be tried one by one:
 * one bad row must not fail its neighbours.
 */
export function groupCommit<Item, Result>(options: {
  readonly run: (items: readonly Item[]) => Promise<readonly Result[]>;
  readonly maxBatchSize: number;
  readonly maxInFlight: number;
  readonly isolate?: (error: unknown) => boolean;
}): (item: Item) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let inFlight = 0;
  let scheduled = false;

  function flush(): void {
    scheduled = false;
    while (inFlight < options.maxInFlight && waiting.length > 0) {
      const batch = waiting.splice(0, options.maxBatchSize);
      inFlight += 1;
      void settle(batch).finally(() => {
        inFlight -= 1;
        flush();
      });
    }
  }

  async function settle(batch: readonly Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await options.run(batch.map((waiter) => waiter.item));
      for (const [index, waiter] of batch.entries()) waiter.resolve(results[index] as Result);
    } catch (error) {
      if (batch.length > 1 && options.isolate?.(error) === true) {
        for (const waiter of batch) await settle([waiter]);
        return;
      }
      for (const waiter of batch) waiter.reject(error);
    }
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
