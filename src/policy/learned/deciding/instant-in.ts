import { addMs, hourMs, laterOf } from '../../../domain/clock.ts';
import { unitOf } from '../hash.ts';
import { hourStartMs } from '../local-time.ts';

/** An instant of a local hour: payments are spread over it, and stay inside what is allowed. */
export function instantIn(
  hour: number,
  payment: { readonly paymentId: string; readonly utcOffsetMinutes: number },
  bounds: { readonly now: Date; readonly allowedAt: Date; readonly windowEndsAt: Date },
): Date {
  const begin = new Date(hourStartMs(hour, payment.utcOffsetMinutes));
  const spread = addMs(begin, Math.floor(unitOf(payment.paymentId, 'minute') * hourMs));
  const at = laterOf(laterOf(spread, bounds.allowedAt), bounds.now);
  return at.getTime() > bounds.windowEndsAt.getTime() ? bounds.windowEndsAt : at;
}
