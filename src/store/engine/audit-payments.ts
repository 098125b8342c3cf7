import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { AuditEntry } from '../../recovery/admin/ports.ts';
import type { Outcome, PaymentStore, StopRequest } from '../../recovery/engine-ports.ts';
import { appendAudit } from '../admin/audit-log.ts';
import type { Database, Queryable, Statement } from '../database.ts';
import { recordOutcomes } from './outcomes.ts';
import { requestStop } from './stop-request.ts';

/** What is written of an action, by what it writes. */
export type EntryOf = (written: Outcome | StopRequest) => AuditEntry;

const standing: Statement = {
  name: 'read_payment_standing',
  text: `
    select state, next_attempt_at from payments where merchant_id = $1 and invoice_id = $2`,
};

interface StandingRow {
  readonly state: string;
  readonly next_attempt_at: Date | null;
}

/** How the payment stands, as the audit log has it. */
async function readStanding(
  tx: Queryable,
  key: { readonly merchantId: string; readonly invoiceId: string },
): Promise<JsonObject> {
  const [row] = await tx.query<StandingRow>(standing, [key.merchantId, key.invoiceId]);
  return present({
    status: row?.state,
    next_attempt_at: row?.next_attempt_at?.toISOString(),
  });
}

/** Does a step with its line of the audit log, which says how the payment stood before and stands since. */
async function withLine<Result>(
  tx: Queryable,
  key: { readonly merchantId: string; readonly invoiceId: string },
  step: { work(): Promise<Result>; entryOf(result: Result): AuditEntry | undefined },
): Promise<Result> {
  const before = await readStanding(tx, key);
  const result = await step.work();
  const entry = step.entryOf(result);
  if (entry === undefined) return result;
  const after = await readStanding(tx, key);
  await appendAudit(tx, key.merchantId, { before, after, ...entry });
  return result;
}

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
      db.transaction((tx) =>
        withLine(tx, outcome, {
          async work() {
            const [recorded] = await recordOutcomes(tx, [outcome]);
            if (recorded === undefined) throw new Error('a step that was recorded has an outcome');
            return recorded;
          },
          entryOf: (recorded) => (recorded === 'recorded' ? entryOf(outcome) : undefined),
        }),
      ),
    async requestStop(input) {
      if (isStopNoted) return payments.requestStop(input);
      const stop = await db.transaction((tx) =>
        withLine(tx, input, {
          work: () => requestStop(tx, input),
          entryOf: (requested) => (requested === undefined ? undefined : entryOf(input)),
        }),
      );
      isStopNoted = stop !== undefined;
      return stop;
    },
  };
}
