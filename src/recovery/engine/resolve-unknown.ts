import { addMs } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import type { Hold } from '../../domain/held-back.ts';
import { lookUpsOfLadder, resolveWaitMs } from '../../domain/limits.ts';
import { present } from '../../domain/present.ts';
import type { UnknownCharge, UnknownChargeStore } from '../engine-ports.ts';
import type { LookUpResult } from '../psp-ports.ts';
import { type DefiniteResult, modeOf } from './answers/judge-answer.ts';
import { takeAnswer } from './answers/take-answer.ts';
import type { EngineDeps } from './deps.ts';
import { findCharge } from './find-charge.ts';
import { isDropped } from './time/holding.ts';

/**
 * Asks the PSP what became of a charge whose answer was lost, and resolves it by that record alone.
 * While the PSP cannot tell, the invoice stays blocked; when the ladder of look-ups ends, a person is
 * asked for, and the PSP daily for a month still. It is never charged a second time.
 */
export async function resolveUnknown(
  deps: EngineDeps & { readonly unknownCharges: UnknownChargeStore },
  charge: UnknownCharge,
  hold: Hold,
): Promise<void> {
  const { merchantId, invoiceId, attempt } = charge;
  if (isDropped(deps, { payment: charge, hold })) return;
  const { result, isLive } = await lookUp(deps, charge, hold);
  if (result.kind === 'unknown') {
    await askAgain(deps, charge, result.reason);
    return;
  }
  const { idempotencyKey } = charge.transaction;
  const taken = await takeAnswer(deps, {
    merchantId,
    idempotencyKey,
    result: result.kind === 'not_found' ? neverGot : result,
    ...present({ isLive }),
  });
  if (taken !== 'resolved') return;
  deps.log.info(
    { merchantId, invoiceId, attemptId: attempt.attemptId, result: result.kind },
    'an unknown charge was resolved',
  );
}

const neverGot: DefiniteResult = { kind: 'not_made', reason: 'the PSP never got it' };

interface LookedUp {
  readonly result: LookUpResult;
  readonly isLive?: boolean;
}

async function lookUp(deps: EngineDeps, charge: UnknownCharge, hold: Hold): Promise<LookedUp> {
  const { merchantId, psp, transaction } = charge;
  const version = transaction.connectionVersion;
  const gateway = await deps.findGateway({ merchantId, psp, version });
  if (gateway === undefined) {
    return { result: { kind: 'unknown', reason: goneAccount(psp, version) } };
  }
  const merchant = await deps.merchants.findMerchant(charge.merchantId);
  const payment = await deps.payments.load(charge);
  invariant(merchant !== undefined && payment !== undefined, 'a charge belongs to a payment');
  const result = await findCharge(deps, { charge, payment, merchant, gateway, hold });
  return { result, ...modeOf(gateway) };
}

/** No other account is asked: it knows nothing of this one's charges. */
function goneAccount(psp: string, version: number): string {
  return `it was sent through account ${version} at ${psp}, whose credentials are gone`;
}

async function askAgain(
  deps: EngineDeps & { readonly unknownCharges: UnknownChargeStore },
  charge: UnknownCharge,
  reason: string,
): Promise<void> {
  const { merchantId, invoiceId, attempt, transaction, fence } = charge;
  const waitMs = resolveWaitMs(charge.lookUps + 1);
  await deps.unknownCharges.postpone({
    merchantId,
    attemptId: attempt.attemptId,
    ordinal: transaction.ordinal,
    fence,
    reason,
    ...(waitMs !== undefined && { nextAt: addMs(deps.clock.now(), waitMs) }),
  });
  if (charge.lookUps + 1 === lookUpsOfLadder) {
    deps.log.warn(
      { merchantId, invoiceId, attemptId: attempt.attemptId },
      'an unknown charge could not be resolved: a person has to look it up at the PSP',
    );
  }
}
