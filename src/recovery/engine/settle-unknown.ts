import { addMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { settleBackoffMs } from '../../domain/limits.ts';
import type { UnknownCharge, UnknownChargeStore } from '../engine-ports.ts';
import type { LookUpResult } from '../psp-ports.ts';
import type { EngineDeps } from './deps.ts';
import { findCharge } from './find-charge.ts';
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
  const { merchantId, invoiceId, attempt } = charge;
  const result = await lookUp(deps, charge);
  if (result.kind === 'unknown') {
    await askAgain(deps, charge, result.reason);
    return;
  }
  if ((await settleCharge(deps, charge, result)) !== 'recorded') return;
  deps.log.info(
    { merchantId, invoiceId, attemptId: attempt.attemptId, result: result.kind },
    'an unknown charge was settled',
  );
}

async function lookUp(deps: EngineDeps, charge: UnknownCharge): Promise<LookUpResult> {
  const gateway = await deps.findGateway(charge);
  if (gateway === undefined) {
    return { kind: 'unknown', reason: `there is no connection to ${charge.psp}` };
  }
  const merchant = await deps.merchants.findMerchant(charge.merchantId);
  const payment = await deps.payments.load(charge);
  invariant(merchant !== undefined && payment !== undefined, 'a charge belongs to a payment');
  return findCharge(deps, { charge, payment, merchant, gateway });
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
