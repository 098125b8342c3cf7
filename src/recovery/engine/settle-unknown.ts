import { addMs } from '../../domain/clock.ts';
import { settleBackoffMs } from '../../domain/limits.ts';
import type { UnknownCharge, UnknownChargeStore } from '../engine-ports.ts';
import type { LookUpResult } from '../psp-ports.ts';
import type { EngineDeps } from './deps.ts';
import { settleCharge } from './settle-charge.ts';

/**
 * Asks the PSP what became of a charge whose answer was lost, and settles it by that record alone.
 * While the PSP cannot tell, the invoice stays blocked; when the ladder of look-ups ends, a person
 * has to settle it. It is never charged a second time.
 */
export async function settleUnknown(
  deps: EngineDeps & { readonly unknownCharges: UnknownChargeStore },
  charge: UnknownCharge,
): Promise<void> {
  const { merchantId, invoiceId, attempt, transaction } = charge;
  const payment = await deps.payments.load(charge);
  const gateway = await deps.findGateway(charge);
  const result: LookUpResult =
    gateway === undefined
      ? { kind: 'unknown', reason: `charging through ${charge.psp} is not set up` }
      : await gateway.lookUp({
          merchantId,
          invoiceId,
          idempotencyKey: transaction.idempotencyKey,
          sentAt: transaction.sentAt,
          amountMinor: transaction.amountMinor,
          currency: transaction.currency,
          paymentMethodId: transaction.paymentMethodId,
          ...(payment?.pspCustomerId === undefined ? {} : { pspCustomerId: payment.pspCustomerId }),
          ...(payment?.pspInvoiceId === undefined ? {} : { pspInvoiceId: payment.pspInvoiceId }),
        });
  if (result.kind === 'unknown') {
    await askAgain(deps, charge, result.reason);
    return;
  }
  if (result.kind === 'not_found' && mayStillArrive(deps, charge)) {
    await askAgain(deps, charge, 'the charge may still be on its way');
    return;
  }
  if ((await settleCharge(deps, charge, result)) !== 'recorded') return;
  deps.log.info(
    { merchantId, invoiceId, attemptId: attempt.attemptId, result: result.kind },
    'an unknown charge was settled',
  );
}

/** A call begins within one time-out of `sentAt`, and may reach the PSP within another. */
function mayStillArrive(deps: EngineDeps, charge: UnknownCharge): boolean {
  const arrivesUntil = addMs(charge.transaction.sentAt, 2 * deps.settings.pspTimeoutMs);
  return deps.clock.now().getTime() < arrivesUntil.getTime();
}

async function askAgain(
  deps: EngineDeps & { readonly unknownCharges: UnknownChargeStore },
  charge: UnknownCharge,
  reason: string,
): Promise<void> {
  const { merchantId, invoiceId, attempt, transaction, fence } = charge;
  const waitMs = settleBackoffMs[charge.lookUps + 1];
  await deps.unknownCharges.postpone({
    merchantId,
    attemptId: attempt.attemptId,
    ordinal: transaction.ordinal,
    fence,
    reason,
    ...(waitMs === undefined ? {} : { nextAt: addMs(deps.clock.now(), waitMs) }),
  });
  if (waitMs === undefined) {
    deps.log.warn(
      { merchantId, invoiceId, attemptId: attempt.attemptId },
      'an unknown charge could not be settled: a person has to look it up at the PSP',
    );
  }
}
