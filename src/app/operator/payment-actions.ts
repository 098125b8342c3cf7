import type { JsonObject } from '../../domain/payment.ts';
import { present } from '../../domain/present.ts';
import type { AuditEntry } from '../../recovery/admin/ports.ts';
import { resolveByHand } from '../../recovery/engine/resolve-by-hand.ts';
import { retryPayment } from '../../recovery/engine/retry-payment.ts';
import { type StopDeps, stopPayment } from '../../recovery/engine/stop-payment.ts';
import type { OperatorApi, PaymentActions } from '../../recovery/operator-api.ts';
import { appendAudit } from '../../store/admin/audit-log.ts';
import type { Database } from '../../store/database.ts';
import { ofDebt, onDebt } from '../../store/debts/find-debt.ts';
import { auditPayments, type EntryOf } from '../../store/engine/audit-payments.ts';
import { findCharge } from '../../store/psp-events/find-charge.ts';
import { redeliverEvent } from '../../store/views/event-views.ts';

/**
 * What operators do to single payments, charges and events. An action and its line of the
 * audit log are one transaction: where the line cannot be written, nothing was done.
 */
export function createPaymentActions(
  deps: StopDeps & { readonly db: Database },
): PaymentActions & Pick<OperatorApi, 'resolveUnknownCharge'> {
  const { db, clock } = deps;
  const entry = (action: string, detail: JsonObject): AuditEntry => ({
    action,
    detail,
    at: clock.now(),
  });
  const noted = (entryOf: EntryOf): StopDeps => ({
    ...deps,
    payments: auditPayments(db, deps.payments, entryOf),
  });

  return {
    async replayDelivery({ merchantId, eventId, endpointId }) {
      const outcome = await db.transaction(async (tx) => {
        const at = clock.now();
        const queued = await redeliverEvent(tx, {
          merchantId,
          eventId,
          ...present({ endpointId }),
          at,
        });
        if (queued.kind === 'queued') {
          await appendAudit(
            tx,
            merchantId,
            entry('delivery.replayed', present({ event_id: eventId, endpoint_id: endpointId })),
          );
        }
        return queued;
      });
      deps.wake.deliveries();
      return outcome;
    },
    async retryPayment(named) {
      const input = await ofDebt(db, named);
      const entryOf: EntryOf = (written) => {
        const at = 'payment' in written ? written.payment.nextAttemptAt : undefined;
        const retry_at = (at ?? clock.now()).toISOString();
        return entry('payment.retried', { invoice_id: input.invoiceId, retry_at });
      };
      return retryPayment(noted(entryOf), input);
    },
    stopPayment({ reason, ...named }) {
      const stop = { reason: 'merchant_stop', detail: reason, waits: true } as const;
      return onDebt(db, named, (debt) => {
        const entryOf = () => entry('payment.stopped', { invoice_id: debt.invoiceId, reason });
        return stopPayment(noted(entryOf), { ...debt, ...stop });
      });
    },
    resolveUnknownCharge(input) {
      const { idempotencyKey: idempotency_key, seen, reason } = input;
      const entryOf = () => ({
        ...entry('charge.settled', { idempotency_key, result: seen.kind, reason }),
        before: { result: 'unknown' },
        after: { result: seen.kind },
      });
      return resolveByHand({ ...noted(entryOf), findCharge: (key) => findCharge(db, key) }, input);
    },
  };
}
