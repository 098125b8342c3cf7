import type { Clock } from '../../domain/clock.ts';
import type { DueWork } from '../../jobs/claim-loop.ts';
import type { Metrics, Queue } from '../../metrics.ts';

/** Work whose lateness and number under way are measured under its queue's name. */
export function measured<Item>(
  metrics: Pick<Metrics, 'observeLateness' | 'setInFlight'>,
  clock: Clock,
  queue: Queue,
  work: Omit<DueWork<Item>, 'name'> & { dueAt(item: Item): Date },
): DueWork<Item> {
  let inFlight = 0;
  function observe(items: readonly Item[]): void {
    for (const item of items) {
      metrics.observeLateness(queue, clock.now().getTime() - work.dueAt(item).getTime());
    }
  }
  return {
    name: queue,
    merchantOf: work.merchantOf,
    failed: (item, failure) => work.failed(item, failure),
    async claim(input) {
      const due = await work.claim(input);
      observe(due.items);
      return due;
    },
    handedOver: observe,
    async run(items, hold) {
      inFlight += items.length;
      metrics.setInFlight(queue, inFlight);
      try {
        await work.run(items, hold);
      } finally {
        inFlight -= items.length;
        metrics.setInFlight(queue, inFlight);
      }
    },
  };
}
