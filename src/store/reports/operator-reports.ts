import type { OperatorReports } from '../../recovery/admin/ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Queryable } from '../database.ts';
import { listCardsNearLimit } from './cards-near-limit.ts';
import { readEndpointHealth } from './endpoint-health.ts';
import { checkInvariants } from './invariants.ts';
import { sumNetworkFees } from './network-fees.ts';
import { findOperatorDelivery, listOperatorDeliveries } from './operator-deliveries.ts';
import { listOperatorPayments } from './operator-payments.ts';
import { listOperatorPspEvents } from './operator-psp-events.ts';
import { listUnknownCharges } from './operator-unknown-charges.ts';
import { readOverview } from './overview/read-overview.ts';
import { readRetryMap } from './overview/read-retry-map.ts';
import { readPaymentStory } from './payment-story.ts';
import { countExhausted, replayExhausted } from './replay-exhausted.ts';
import { sumUplift } from './uplift.ts';

/** The operator's reports: the only reads of the service that may cross merchants. */
export function createOperatorReports(deps: { readonly db: Queryable }): OperatorReports {
  const { db } = deps;
  return {
    listDeliveries: (input) => listOperatorDeliveries(db, input),
    listPspEvents: (input) => listOperatorPspEvents(db, input),
    listPayments: (input) => listOperatorPayments(db, input),
    listUnknownCharges: (input) => listUnknownCharges(db, input),
    readStory: (input) => readPaymentStory(db, input),
    readEndpoints: (input) => readEndpointHealth(db, input),
    findDelivery: (input) => findOperatorDelivery(db, input),
    readOverview: (input) => readOverview(db, input),
    readRetryMap: (input) => readRetryMap(db, input),
    noteAct: ({ merchantId, audit }) => appendAudit(db, merchantId, audit),
    countExhausted: (input) => countExhausted(db, input),
    replayExhausted: (input) => replayExhausted(db, input),
    listCardsNearLimit: (input) => listCardsNearLimit(db, input),
    sumFees: (input) => sumNetworkFees(db, input),
    sumUplift: (input) => sumUplift(db, input),
    checkInvariants: () => checkInvariants(db),
  };
}
