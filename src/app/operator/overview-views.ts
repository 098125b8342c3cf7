import type { Clock } from '../../domain/clock.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import type { ProcessClock } from '../../recovery/checkup/checkup-ports.ts';
import type { OverviewViews } from '../../recovery/operator-api.ts';
import type { Alert } from '../../recovery/reports/overview.ts';
import type { FreshRollups } from './fresh-rollups.ts';

/** The sums that operators see. Looking at them begins to bring them up to date; nobody waits for it. */
export function createOverviewViews(deps: {
  readonly reports: Pick<OperatorReports, 'readOverview' | 'readRetryMap'>;
  readonly rollups: Pick<FreshRollups, 'refresh'>;
  readonly clock: Clock;
  readonly listProcessClocks: () => Promise<readonly ProcessClock[]>;
}): OverviewViews {
  const { reports, rollups, clock } = deps;
  return {
    async showOverview(input) {
      rollups.refresh();
      const [overview, clocks] = await Promise.all([
        reports.readOverview({ ...input, now: clock.now() }),
        deps.listProcessClocks(),
      ]);
      return { ...overview, alerts: [...clocks.flatMap(heldBackAlert), ...overview.alerts] };
    },
    showRetryMap(input) {
      rollups.refresh();
      return reports.readRetryMap(input);
    },
  };
}

function heldBackAlert({ processId, held }: ProcessClock): readonly Alert[] {
  if (held === undefined) return [];
  return [{ kind: 'work_held_back', processId, words: held.words, since: held.since }];
}
