import { addMs, dayMs } from '../../../src/domain/clock.ts';
import type { BeginCharge, DuePayment } from '../../../src/recovery/engine-ports.ts';
import { worldStart } from '../../kits/billing-events.ts';

/** When the first try of a payment that failed at the start of the world is due. */
export const firstTry = addMs(worldStart, dayMs);

/** The first charge of a payment's open attempt: of its first method, a day after it failed. */
export function chargeOf(
  due: DuePayment | undefined,
  change: Partial<BeginCharge> = {},
): BeginCharge {
  if (due?.attempt === undefined) throw new Error('no attempt is open');
  const { payment, attempt } = due;
  return {
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    fence: payment.fence,
    attemptId: attempt.attemptId,
    ordinal: 1,
    psp: payment.psp,
    idempotencyKey: `${attempt.attemptId}-1`,
    paymentMethodId: payment.methods[0]?.paymentMethodId ?? '',
    amountMinor: payment.amountMinor,
    currency: payment.currency,
    check: { retry: true, reason: 'open' },
    startedAt: attempt.startedAt,
    sentAt: firstTry,
    connectionVersion: 1,
    ...change,
  };
}
