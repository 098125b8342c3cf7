import type { JsonObject } from '../../domain/payment.ts';
import type { OperatorReports } from '../../recovery/admin/ports.ts';
import type { InvoiceOf, RecoveryApi } from '../../recovery/api.ts';
import { type CurveDeps, paymentCurve } from '../../recovery/learned/payment-curve.ts';
import type { PaymentActs } from '../../recovery/operator-api.ts';
import { paymentTimeline } from '../../recovery/reports/payment-timeline.ts';

/** What operators see and do of single payments and events. What they do stands in the audit log. */
export function createPaymentActs(
  deps: CurveDeps & {
    readonly recovery: RecoveryApi;
    readonly reports: Pick<OperatorReports, 'readStory' | 'noteAct'>;
  },
): PaymentActs {
  const { recovery, reports, clock } = deps;
  return {
    async replayDelivery(input) {
      const outcome = await recovery.redeliverEvent(input);
      if (outcome.kind === 'queued') {
        const detail = { event_id: input.eventId };
        const audit = { action: 'delivery.replayed', detail, at: clock.now() };
        await reports.noteAct({ merchantId: input.merchantId, audit });
      }
      return outcome;
    },
    showPayment: (input) => recovery.showPayment(input),
    async showTimeline(input) {
      const [payment, story, curve] = await Promise.all([
        recovery.showPayment(input),
        reports.readStory(input),
        paymentCurve(deps, input),
      ]);
      if (payment === undefined || story === undefined) return undefined;
      const timeline = paymentTimeline(payment, story);
      return curve === undefined ? timeline : { ...timeline, curve };
    },
    async retryPayment(input) {
      const outcome = await recovery.retryPayment(input);
      if (outcome.kind === 'scheduled') {
        const retry_at = outcome.nextAttemptAt.toISOString();
        await note('payment.retried', input, { retry_at });
      }
      return outcome;
    },
    async stopPayment(input) {
      const outcome = await recovery.stopPayment(input);
      if (outcome.kind === 'stopped' || outcome.kind === 'in_flight') {
        await note('payment.stopped', input, { reason: input.reason });
      }
      return outcome;
    },
  };

  function note(action: string, { merchantId, invoiceId }: InvoiceOf, detail: JsonObject) {
    const audit = { action, detail: { invoice_id: invoiceId, ...detail }, at: clock.now() };
    return reports.noteAct({ merchantId, audit });
  }
}
