import { hourMs } from '../../domain/clock.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface MakeStatementsDeps {
  /** Makes the next statement of some merchants after `after`; 0 when no day is left to be stated. */
  make(input: {
    at: Date;
    after: string;
  }): Promise<{ readonly made: number; readonly last?: string }>;
}

/** A day is stated at the first run that begins an hour or more after it is over. */
const everyMs = 6 * hourMs;

/** Makes the daily statements of days that are over, for each merchant one day after the other. */
export function makeStatements(deps: MakeStatementsDeps): PeriodicJob {
  return {
    name: 'make-statements',
    everyMs,
    async run(context) {
      let after = '';
      await inBatches(context, async () => {
        const { made, last } = await deps.make({ at: context.at, after });
        const isPast = made === 0 && after !== '';
        after = last ?? '';
        // Past the last merchant: whether the first ones have a further day is looked at once more.
        return isPast ? 1 : made;
      });
    },
  };
}
