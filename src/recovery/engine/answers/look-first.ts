import { addMs, hourMs, maxClocksApartMs } from '../../../domain/clock.ts';
import { present } from '../../../domain/present.ts';
import type { BeginChargeOutcome, OpenTransaction, PaymentContext } from '../../engine-ports.ts';
import type { ChargeResult, PspGateway } from '../../psp-ports.ts';
import type { EngineDeps } from '../deps.ts';
import { lookUnderOtherNames } from './other-names.ts';

/** A key is not relied on so shortly before its PSP forgets it: the call takes its time too. */
export const keyMarginMs = hourMs;

/**
 * What became of an earlier charge under this key, where there may be one that the PSP would not know
 * by the key alone: it keeps none, its memory may have passed, or the record was restored from a
 * backup. Undefined where the charge may be sent. Where nobody can tell, nothing is sent: the charge is
 * `not_made` this time, and tried again later.
 */
export async function lookFirst(
  deps: Pick<EngineDeps, 'clock' | 'settings' | 'payments'>,
  input: {
    readonly gateway: PspGateway;
    readonly payment: PaymentContext;
    readonly transaction: OpenTransaction;
    readonly begun: Extract<BeginChargeOutcome, { kind: 'begun' }>;
  },
): Promise<ChargeResult | undefined> {
  const { gateway, payment, transaction, begun } = input;
  const { capabilities } = gateway;
  if (!isNeeded(input, deps.clock.now())) return undefined;
  if (capabilities.lookUp === 'same_key') {
    return notMade('the PSP may have forgotten an earlier charge and has no record to ask');
  }
  const askedAt = deps.clock.now();
  const own = await gateway.lookUp({
    merchantId: payment.merchantId,
    invoiceId: payment.invoiceId,
    idempotencyKey: transaction.idempotencyKey,
    sentAt: begun.earlier?.firstSentAt ?? payment.failedAt,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    paymentMethodId: transaction.paymentMethodId,
    ...present({ pspCustomerId: payment.pspCustomerId, pspInvoiceId: payment.pspInvoiceId }),
  });
  const result =
    own.kind === 'not_found' && begun.mayExist === true
      ? await lookUnderOtherNames(deps, input)
      : own;
  if (result.kind === 'unknown') {
    return notMade(`whether it was charged before could not be asked: ${result.reason}`);
  }
  if (result.kind !== 'not_found') return result;
  const { lastSentAt } = begun.earlier ?? {};
  const waitMs = 2 * deps.settings.pspTimeoutMs + capabilities.recordLagMs + maxClocksApartMs;
  if (lastSentAt !== undefined && askedAt < addMs(lastSentAt, waitMs)) {
    return notMade('an earlier charge may still be on its way');
  }
  return undefined;
}

function isNeeded({ gateway, begun }: Parameters<typeof lookFirst>[1], now: Date): boolean {
  const { keyMemoryMs } = gateway.capabilities;
  if (keyMemoryMs === 'forever') return false;
  if (begun.mayExist === true) return true;
  if (begun.earlier === undefined) return false;
  return now >= addMs(begun.earlier.firstSentAt, keyMemoryMs - keyMarginMs);
}

function notMade(reason: string): ChargeResult {
  return { kind: 'not_made', reason };
}
