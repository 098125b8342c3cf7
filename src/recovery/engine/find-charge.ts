import { addMs, maxClocksApartMs } from '../../domain/clock.ts';
import type { Hold } from '../../domain/held-back.ts';
import type { Merchant } from '../../domain/merchant.ts';
import { present } from '../../domain/present.ts';
import type { PaymentContext, UnknownCharge } from '../engine-ports.ts';
import type { LookUpResult, PspGateway } from '../psp-ports.ts';
import { keyMarginMs } from './answers/look-first.ts';
import { chargeRequest } from './charging/charge-request.ts';
import { checkWithMerchant } from './check-with-merchant.ts';
import type { EngineDeps } from './deps.ts';
import { lateBecause, sendByOf } from './time/holding.ts';

/** What a look-up holds while it may have to charge. */
interface FindInput {
  readonly charge: UnknownCharge;
  readonly payment: PaymentContext;
  readonly merchant: Merchant;
  readonly gateway: PspGateway;
  readonly hold: Hold;
}

/** What became of a charge whose answer was lost, asked in the way that its PSP knows. */
export async function findCharge(deps: EngineDeps, input: FindInput): Promise<LookUpResult> {
  switch (input.gateway.capabilities.lookUp) {
    case 'by_record':
      return findByRecord(deps, input);
    case 'same_key':
      return findBySameKey(deps, input);
  }
}

async function findByRecord(deps: EngineDeps, input: FindInput): Promise<LookUpResult> {
  const { charge, payment, gateway } = input;
  const { transaction } = charge;
  // Its "no" is of the moment of the question, however long the answer took.
  const askedAt = deps.clock.now();
  const result = await gateway.lookUp({
    merchantId: charge.merchantId,
    invoiceId: charge.invoiceId,
    idempotencyKey: transaction.idempotencyKey,
    sentAt: transaction.sentAt,
    amountMinor: transaction.amountMinor,
    currency: transaction.currency,
    paymentMethodId: transaction.paymentMethodId,
    ...present({ pspCustomerId: payment.pspCustomerId, pspInvoiceId: payment.pspInvoiceId }),
  });
  if (result.kind !== 'not_found') return result;
  // A call begins within one time-out of `sentAt`, and may reach the PSP within another; and two
  // processes may each be a little off the time that they share.
  const { recordLagMs } = gateway.capabilities;
  const waitMs = 2 * deps.settings.pspTimeoutMs + recordLagMs + maxClocksApartMs;
  if (askedAt.getTime() >= addMs(transaction.sentAt, waitMs).getTime()) return result;
  return { kind: 'unknown', reason: 'the charge may still be on its way' };
}

/**
 * Sends the charge again under its own key: the PSP answers what became of it. One that never
 * arrived is made now, so every gate of a charge holds: the payment is not to be stopped, its
 * window is open, and the merchant says yes to this amount with this method at this moment. Else
 * only the PSP's webhook or a person can resolve it.
 */
async function findBySameKey(deps: EngineDeps, input: FindInput): Promise<LookUpResult> {
  const { charge, payment, merchant, gateway } = input;
  const { transaction } = charge;
  const now = deps.clock.now();
  const { keyMemoryMs } = gateway.capabilities;
  // A charge that never arrived would be made at an account which the merchant has left.
  if (gateway.connection?.isActive === false) return unknown('its account was replaced');
  if (keyMemoryMs !== 'forever') {
    const forgottenAt = addMs(transaction.sentAt, keyMemoryMs - keyMarginMs);
    if (now.getTime() >= forgottenAt.getTime())
      return unknown('the PSP may have forgotten its key');
  }
  if (payment.stopReason !== undefined) return unknown('the payment is to be stopped');
  if (now.getTime() > payment.windowEndsAt.getTime()) return unknown('the window has ended');
  // Asked as for an attempt that has charged nothing: the method in question is to be named again.
  const attempt = { ...charge.attempt, transactions: [] };
  const check = await checkWithMerchant(deps, { payment, merchant, attempt });
  if (check.kind !== 'retry') return unknown('the merchant did not say yes to it again');
  const method = check.methods.find((item) => item.paymentMethodId === transaction.paymentMethodId);
  if (method === undefined || check.amountMinor !== transaction.amountMinor) {
    return unknown('the merchant said yes to another charge than this one');
  }
  const sendBy = sendByOf(deps, { hold: input.hold, sentAt: deps.clock.now() });
  const late = lateBecause(deps, { hold: input.hold, sendBy });
  if (late !== undefined) return unknown(late);
  const request = chargeRequest({ payment, check }, method, { ...transaction, sendBy });
  const result = await gateway.charge(request);
  return result.kind === 'not_made' ? unknown(result.reason) : result;
}

function unknown(reason: string): LookUpResult {
  return { kind: 'unknown', reason };
}
