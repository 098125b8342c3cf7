import type { DueWork } from '../../jobs/claim-loop.ts';
import type { SpanOf, Tracing } from './tracing.ts';

/**
 * Due work whose items are done in spans of their own; `spanOf` names the span of an item, or none. Items that
 * are done together have spans of the same length.
 */
export function traceWork<Item, Work extends Pick<DueWork<Item>, 'run'>>(
  tracing: Pick<Tracing, 'open'> | undefined,
  spanOf: (item: Item) => SpanOf | undefined,
  work: Work,
): Work {
  if (tracing === undefined) return work;
  return {
    ...work,
    async run(items: readonly Item[], hold: Parameters<Work['run']>[1]) {
      const spans = items.flatMap((item) => {
        const of = spanOf(item);
        return of === undefined ? [] : [tracing.open(of)];
      });
      const [first, ...others] = spans;
      try {
        const run = () => work.run(items, hold);
        // Only one can be the running one; what a group does is not told apart any further.
        await (first === undefined || others.length > 0 ? run() : first.within(run));
      } catch (error) {
        for (const span of spans) span.fail(error instanceof Error ? error.name : 'failed');
        throw error;
      } finally {
        for (const span of spans) span.end();
      }
    },
  };
}
