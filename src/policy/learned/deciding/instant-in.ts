import { addMs, earlierOf, hourMs } from '../../../domain/clock.ts';
import { unitOf } from '../hash.ts';
import { hourStartMs } from '../local-time.ts';

/** An instant of a local hour: payments are spread over it. An hour that is weighed is allowed from its start. */
export function instantIn(
  hour: number,
  payment: { readonly paymentId: string; readonly utcOffsetMinutes: number },
  windowEndsAt: Date,
): Date {
  const begin = new Date(hourStartMs(hour, payment.utcOffsetMinutes));
  const spread = addMs(begin, Math.floor(unitOf(payment.paymentId, 'minute') * hourMs));
  return earlierOf(spread, windowEndsAt);
}
