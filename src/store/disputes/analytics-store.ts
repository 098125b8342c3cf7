import type { AnalyticsStore } from '../../disputes/ports.ts';
import type { Random } from '../../domain/random.ts';
import type { Database } from '../database.ts';
import { isOfOneRow } from '../database-fault.ts';
import { groupCommit } from '../group-commit.ts';
import type { Sealer } from '../sealing/sealer.ts';
import { appendAnalytics, type PreparedAnalytics, prepareAnalytics } from './append-analytics.ts';
import { eraseCustomer } from './erase-customer.ts';
import { createIndexKeys } from './index-keys.ts';
import { findAnalytics, readPersonalData } from './read-analytics.ts';

// As for the request log: two batches keep the disk busy while the next one fills.
const maxBatchSize = 512;
const maxInFlight = 2;

/** Analytics records in the database. Personal data is sealed before it leaves this process. */
export function createAnalyticsStore(deps: {
  readonly db: Database;
  readonly sealer: Sealer;
  readonly random: Random;
}): AnalyticsStore {
  const { db } = deps;
  const indexKeys = createIndexKeys(deps);
  const append = groupCommit<PreparedAnalytics, string>({
    run: (analyticsRecords) => appendAnalytics(deps, analyticsRecords),
    maxBatchSize,
    maxInFlight,
    isolate: isOfOneRow,
  });
  return {
    async append(analyticsRecord) {
      const keys = await indexKeys.of(analyticsRecord.merchantId, analyticsRecord.capturedAt);
      return append(prepareAnalytics(analyticsRecord, keys));
    },
    find: (input) => findAnalytics(db, input),
    eraseCustomer: (input) => eraseCustomer({ db, indexKeys }, input),
    readPersonalData: (input) => readPersonalData(deps, input),
  };
}
