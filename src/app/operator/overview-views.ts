import type { Clock } from '../../domain/clock.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import type { OverviewViews } from '../../recovery/operator-api.ts';
import type { FreshRollups } from './fresh-rollups.ts';

/** The sums that operators see. Looking at them begins to bring them up to date; nobody waits for it. */
export function createOverviewViews(deps: {
  readonly reports: Pick<OperatorReports, 'readOverview' | 'readRetryMap'>;
  readonly rollups: Pick<FreshRollups, 'refresh'>;
  readonly clock: Clock;
}): OverviewViews {
  const { reports, rollups, clock } = deps;
  return {
    showOverview(input) {
      rollups.refresh();
      return reports.readOverview({ ...input, now: clock.now() });
    },
    showRetryMap(input) {
      rollups.refresh();
      return reports.readRetryMap(input);
    },
  };
}
