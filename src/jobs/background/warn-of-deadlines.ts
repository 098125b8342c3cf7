import { hourMs } from '../../domain/clock.ts';
import { disputeWarningDays } from '../../domain/disputes/warning-days.ts';
import type { Psp } from '../../domain/psps.ts';
import { inBatches, type PeriodicJob } from '../background-job.ts';

export interface WarnOfDeadlinesDeps {
  /** Takes disputes that reached a step of which was not warned yet. */
  takeDue(input: { at: Date; steps: readonly number[]; limit: number }): Promise<
    readonly {
      readonly merchantId: string;
      readonly disputeId: string;
      readonly psp: Psp;
      readonly respondBy: Date;
      readonly stepDays: number;
    }[]
  >;
  countWarning(psp: Psp, stepDays: number): void;
  readonly log: { warn(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** As often as the other rare jobs: the last warning still leaves 18 hours. */
const everyMs = 6 * hourMs;
const batch = 500;

/** Warns of disputes whose deadline comes near, once at each step. */
export function warnOfDeadlines(deps: WarnOfDeadlinesDeps): PeriodicJob {
  return {
    name: 'warn-of-deadlines',
    everyMs,
    async run(context) {
      await inBatches(context, async () => {
        const due = await deps.takeDue({ at: context.at, steps: disputeWarningDays, limit: batch });
        for (const { respondBy, stepDays, ...ids } of due) {
          deps.countWarning(ids.psp, stepDays);
          deps.log.warn(
            { ...ids, respondBy: respondBy.toISOString(), daysLeft: stepDays },
            'the answer to a dispute is due soon',
          );
        }
        return due.length;
      });
    },
  };
}
