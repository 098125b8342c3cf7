import type { OperatorReports } from '../../recovery/admin/ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Queryable } from '../database.ts';
import { checkInvariants } from './invariants.ts';
import { sumNetworkFees } from './network-fees.ts';
import { listOperatorDeliveries } from './operator-deliveries.ts';
import { listOperatorPayments } from './operator-payments.ts';
import { listOperatorPspEvents } from './operator-psp-events.ts';
import { listUnknownCharges } from './operator-unknown-charges.ts';
import { countExhausted, replayExhausted } from './replay-exhausted.ts';

/** The operator's reports: the only reads of the service that may cross merchants. */
export function createOperatorReports(deps: { readonly db: Queryable }): OperatorReports {
  const { db } = deps;
  return {
    listDeliveries: (input) => listOperatorDeliveries(db, input),
    listPspEvents: (input) => listOperatorPspEvents(db, input),
    listPayments: (input) => listOperatorPayments(db, input),
    listUnknownCharges: (input) => listUnknownCharges(db, input),
    noteAct: ({ merchantId, audit }) => appendAudit(db, merchantId, audit),
    countExhausted: (input) => countExhausted(db, input),
    replayExhausted: (input) => replayExhausted(db, input),
    sumFees: (input) => sumNetworkFees(db, input),
    checkInvariants: () => checkInvariants(db),
  };
}
