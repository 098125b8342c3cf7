import { addMs, dayMs } from '../../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../../background-job.ts';

export interface ArchiveDeps {
  /** How long after its last change a payment that has ended is archived. */
  readonly afterDays: number;
  /** Looks at the next payments that were last changed before, and archives those that ended; how many it looked at. */
  archive(input: { readonly before: Date; readonly at: Date }): Promise<number>;
}

/** Moves payments that ended long ago into the archive, the oldest first. */
export function archivePayments(deps: ArchiveDeps): PeriodicJob {
  return {
    name: 'archive-payments',
    everyMs: dayMs,
    async run(context) {
      const { at } = context;
      const before = addMs(at, -deps.afterDays * dayMs);
      await inBatches(context, () => deps.archive({ before, at }));
    },
  };
}
