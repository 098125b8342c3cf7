import { archivePayments } from '../../jobs/background/history/archive-payments.ts';
import { keepAnalytics } from '../../jobs/background/history/keep-analytics.ts';
import { purgeIdempotencyKeys } from '../../jobs/background/history/purge-idempotency-keys.ts';
import { trimHistory } from '../../jobs/background/history/trim-history.ts';
import type { BackgroundJob } from '../../jobs/background-job.ts';
import { archivePayments as archiveStretch } from '../../store/archive/archive-payments.ts';
import { trimCardAttempts } from '../../store/cards/trim-card-attempts.ts';
import { archiveAnalytics, removeAnalytics } from '../../store/disputes/analytics-retention.ts';
import { removeAdded, removeUnfinished } from '../../store/disputes/evidence/added-retention.ts';
import { createIdempotencyKeys } from '../../store/idempotency-keys.ts';
import { dropPspEventMonth, makePspEventMonths } from '../../store/psp-events/event-months.ts';
import { trimDeliveryTries, trimPspEvents, trimRequests } from '../../store/retention.ts';
import type { AppContext } from '../context.ts';

/** The jobs that remove what is old, or move it to where it takes less room. */
export function historyJobs({ config, db }: AppContext): readonly BackgroundJob[] {
  const idempotency = createIdempotencyKeys({ db });
  return [
    purgeIdempotencyKeys({ purge: (at, limit) => idempotency.purgeExpired(at, limit) }),
    trimHistory({
      trimRequests: (before, limit) => trimRequests(db, before, limit),
      trimDeliveryTries: (before, limit) => trimDeliveryTries(db, before, limit),
      makePspEventMonths: (at) => makePspEventMonths(db, at),
      dropPspEventMonth: (before) => dropPspEventMonth(db, before),
      trimPspEvents: (before, limit) => trimPspEvents(db, before, limit),
      trimCardAttempts: (before) => trimCardAttempts(db, before),
    }),
    archivePayments({
      afterDays: config.archiveAfterDays,
      archive: (input) => archiveStretch(db, input),
    }),
    keepAnalytics({
      retention: {
        activeMonths: config.analyticsActiveMonths,
        keptMonths: config.analyticsKeptMonths,
      },
      archive: (before, limit) => archiveAnalytics(db, before, limit),
      remove: (before, limit) => removeAnalytics(db, before, limit),
      removeAdded: (before, limit) => removeAdded(db, before, limit),
      removeUnfinished: (before, limit) => removeUnfinished(db, before, limit),
    }),
  ];
}
