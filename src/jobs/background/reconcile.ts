import { dayMs } from '../../domain/clock.ts';
import type { JobContext, OnDemandJob, PeriodicJob } from '../background-job.ts';

export interface ReconcileJobDeps {
  /** Begins to compare every active account. */
  begin(): Promise<void>;
  /** Does what is under way; throws where a PSP did not give its list. */
  run(context: Pick<JobContext, 'signal' | 'progress'>): Promise<void>;
}

/** Compares every account with the PSP's own list, once a day. */
export function reconcileDaily(deps: ReconcileJobDeps): PeriodicJob {
  return {
    name: 'reconcile',
    everyMs: dayMs,
    async run(context) {
      await deps.begin();
      await deps.run(context);
    },
  };
}

export const reconcileNowJobName = 'reconcile-now';

/** Does comparisons that were asked for. */
export function reconcileNow(deps: Pick<ReconcileJobDeps, 'run'>): OnDemandJob {
  return {
    name: reconcileNowJobName,
    onDemand: true,
    run: (_input, context) => deps.run(context),
  };
}
