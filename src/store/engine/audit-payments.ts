import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { Outcome, PaymentStore, StopRequest } from '../../recovery/engine-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database } from '../database.ts';
import { recordOutcomes } from './outcomes.ts';
import { requestStop } from './stop-request.ts';

/** What is written of an action, by what it writes. */
export type EntryOf = (written: Outcome | StopRequest) => AuditEntry;

/**
 * The engine's store for one action of an operator: what it writes and its line of the audit log are
 * one transaction each time, so that there is neither without the other. It shares no commit with
 * the engine's own steps. A stop that is asked for again while a charge is under way is one line.
 */
export function auditPayments(
  db: Database,
  payments: PaymentStore,
  entryOf: EntryOf,
): PaymentStore {
  let isStopNoted = false;
  return {
    ...payments,
    record: (outcome) =>
      db.transaction(async (tx) => {
        const [recorded] = await recordOutcomes(tx, [outcome]);
        if (recorded === undefined) throw new Error('a step that was recorded has an outcome');
        if (recorded === 'recorded') {
          await appendAudit(tx, outcome.merchantId, entryOf(outcome));
        }
        return recorded;
      }),
    async requestStop(input) {
      if (isStopNoted) return payments.requestStop(input);
      const stop = await db.transaction(async (tx) => {
        const requested = await requestStop(tx, input);
        if (requested !== undefined) await appendAudit(tx, input.merchantId, entryOf(input));
        return requested;
      });
      isStopNoted = stop !== undefined;
      return stop;
    },
  };
}
