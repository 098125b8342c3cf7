import { addMs, dayMs } from '../../domain/clock.ts';
import type { BillingPeriod } from '../../domain/payment-event.ts';

const daysOf = { day: 1, week: 7 } as const;
const monthsOf = { month: 1, year: 12 } as const;

/**
 * When a subscription is billed again after `from`, by the calendar in UTC: a month after 31 January is
 * the last of February.
 */
export function nextRenewal(
  from: Date,
  { period, frequency = 1 }: { readonly period: BillingPeriod; readonly frequency?: number },
): Date {
  if (period === 'day' || period === 'week') return addMs(from, daysOf[period] * frequency * dayMs);
  const next = new Date(from);
  next.setUTCMonth(next.getUTCMonth() + monthsOf[period] * frequency);
  // The date that the month does not have has been carried into the one after it.
  if (next.getUTCDate() !== from.getUTCDate()) next.setUTCDate(0);
  return next;
}
