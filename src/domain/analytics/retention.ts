/** How long analytics records are kept, in calendar months after they came. */
export interface AnalyticsRetention {
  /** Until then they may be matched to disputes. */
  readonly activeMonths: number;
  /** Then they are erased, unless a dispute holds them. Not before `activeMonths`. */
  readonly keptMonths: number;
}

/**
 * The longest that a merchant may have analytics records kept. Cardholders may dispute up to 540
 * days after a charge, decisions take some 80 more: 21 months; what is older serves nobody.
 */
export const maxKeptMonths = 24;

/**
 * The same day and time so many calendar months before, in UTC; the month's last day where it has
 * no such day.
 */
export function monthsBefore(at: Date, months: number): Date {
  const before = new Date(at);
  before.setUTCDate(1);
  before.setUTCMonth(before.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(before.getUTCFullYear(), before.getUTCMonth() + 1, 0));
  before.setUTCDate(Math.min(at.getUTCDate(), lastDay.getUTCDate()));
  return before;
}
