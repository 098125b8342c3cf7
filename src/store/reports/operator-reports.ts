import type { OperatorReports } from '../../recovery/admin/ports.ts';
import { appendAudit, auditWith } from '../admin/audit-log.ts';
import type { Database } from '../database.ts';
import { readEndpointHealth } from './endpoint-health.ts';
import { findOperatorDelivery, listOperatorDeliveries } from './operator-deliveries.ts';
import { listOperatorPayments } from './operator-payments.ts';
import { readOverview } from './overview/read-overview.ts';
import { readRetryMap } from './overview/read-retry-map.ts';
import { readPaymentStory } from './payment-story.ts';
import { listPspAccounts } from './psp-accounts.ts';
import { countExhausted, replayExhausted } from './replay-exhausted.ts';
import { sumUplift } from './uplift.ts';

/** The operator's reports: the only reads of the service that may cross merchants. */
export function createOperatorReports(deps: { readonly db: Database }): OperatorReports {
  const { db } = deps;
  return {
    listDeliveries: (input) => listOperatorDeliveries(db, input),
    listPayments: (input) => listOperatorPayments(db, input),
    listPspAccounts: (merchantId) => listPspAccounts(db, merchantId),
    readStory: (input) => readPaymentStory(db, input),
    readEndpoints: (input) => readEndpointHealth(db, input),
    findDelivery: (input) => findOperatorDelivery(db, input),
    readOverview: (input) => readOverview(db, input),
    readRetryMap: (input) => readRetryMap(db, input),
    noteAction: ({ merchantId, audit }) => appendAudit(db, merchantId, audit),
    noteWith: (input) => auditWith(db, input),
    countExhausted: (input) => countExhausted(db, input),
    replayExhausted: (input) => replayExhausted(db, input),
    sumUplift: (input) => sumUplift(db, input),
  };
}
