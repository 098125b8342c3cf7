import { dayMs } from '../../domain/clock.ts';
import type { DutyContext, OnDemandDuty, RecurrentDuty } from '../duty.ts';

export interface ReconcileDutyDeps {
  /** Begins to compare every active account. */
  begin(): Promise<void>;
  /** Does what is under way; throws where a PSP did not give its list. */
  run(context: Pick<DutyContext, 'signal' | 'progress'>): Promise<void>;
}

/** Compares every account with the PSP's own list, once a day. */
export function reconcileDaily(deps: ReconcileDutyDeps): RecurrentDuty {
  return {
    name: 'reconcile',
    everyMs: dayMs,
    async run(context) {
      await deps.begin();
      await deps.run(context);
    },
  };
}

export const reconcileNowDutyName = 'reconcile-now';

/** Does comparisons that were asked for. */
export function reconcileNow(deps: Pick<ReconcileDutyDeps, 'run'>): OnDemandDuty {
  return {
    name: reconcileNowDutyName,
    onDemand: true,
    run: (_input, context) => deps.run(context),
  };
}
