import { addMs, earlierOf } from '../../../domain/clock.ts';
import type { Hold } from '../../../domain/held-back.ts';
import type { EngineDeps } from '../deps.ts';

interface Held {
  readonly payment: { readonly merchantId: string; readonly invoiceId: string };
  readonly hold: Hold;
}

/**
 * Whether the machine's time jumped since this was taken. What was planned or read before it stands for
 * nothing then: the row is left to its lease, and read again.
 */
export function isDropped(deps: Pick<EngineDeps, 'time' | 'log'>, held: Held): boolean {
  if (deps.time.epoch() === held.hold.epoch) return false;
  const { merchantId, invoiceId } = held.payment;
  deps.log.warn({ merchantId, invoiceId }, 'dropped: the time of the machine jumped meanwhile');
  return true;
}

/**
 * A lease with room for a charge: for waiting to send it until its PSP time-out has passed, and for the
 * answer within another one. One that is nearly over is renewed; undefined where it is lost.
 */
export async function holdForCharge(
  deps: Pick<EngineDeps, 'clock' | 'payments' | 'settings'>,
  input: Held & { readonly payment: { readonly fence: number } },
): Promise<Hold | undefined> {
  const { attemptLeaseMs, pspTimeoutMs } = deps.settings;
  const { hold, payment } = input;
  const now = deps.clock.now();
  if (addMs(now, 2 * pspTimeoutMs).getTime() <= hold.leaseUntil.getTime()) return hold;
  const leaseUntil = addMs(now, attemptLeaseMs);
  const { merchantId, invoiceId, fence } = payment;
  const isHeld = await deps.payments.renewLease({ merchantId, invoiceId, fence, leaseUntil });
  return isHeld ? { ...hold, leaseUntil } : undefined;
}

/**
 * The last moment to send a charge. A look-up takes a charge for never made when the PSP does not hold
 * it two time-outs after `sentAt`, so none is sent after the first; and its answer must come within the
 * lease, or another worker looks for a charge that is still on its way.
 */
export function sendByOf(
  deps: Pick<EngineDeps, 'settings'>,
  input: { readonly hold: Hold; readonly sentAt: Date },
): Date {
  const { pspTimeoutMs } = deps.settings;
  return earlierOf(addMs(input.sentAt, pspTimeoutMs), addMs(input.hold.leaseUntil, -pspTimeoutMs));
}

/** Why a charge may not be sent any more; asked with nothing between the answer and the call. */
export function lateBecause(
  deps: Pick<EngineDeps, 'clock' | 'time'>,
  input: { readonly hold: Hold; readonly sendBy: Date },
): string | undefined {
  if (deps.time.epoch() !== input.hold.epoch) {
    return 'the time of the machine jumped before it was sent';
  }
  if (deps.clock.now().getTime() <= input.sendBy.getTime()) return undefined;
  return 'the worker was held up and did not send it';
}
