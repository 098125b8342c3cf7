import { judgeMonth, type Month, monthOf } from '../domain/disputes/monitoring/judge-month.ts';
import type { CountMonth, DisputeRatios, MonthlyCounts } from './report-ports.ts';

export interface RatiosInput {
  readonly month: Month;
  readonly now: Date;
  /** What the acquirer says was settled, for one merchant: Recoup knows of what it was told alone. */
  readonly visaSettled?: number;
  readonly mastercardSettledBefore?: number;
}

/** What the networks' programmes would say of each merchant's month. */
export function judgeRatios(
  counts: readonly MonthlyCounts[],
  input: RatiosInput,
): readonly DisputeRatios[] {
  const { month, now } = input;
  return counts.map((one) => {
    const known = withStatement(one, input);
    return { ...known, verdicts: judgeMonth(known, month, now) };
  });
}

/** What has to be counted for it: the month, and the one before. */
export function monthsOf(month: Month): Omit<CountMonth, 'merchantId'> {
  const { from } = month;
  return {
    ...month,
    monthBefore: new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - 1)),
  };
}

function withStatement(counts: MonthlyCounts, input: RatiosInput): MonthlyCounts {
  const { visaSettled, mastercardSettledBefore } = input;
  const { visa, mastercard } = counts;
  return {
    ...counts,
    visa: { ...visa, settled: visaSettled ?? visa.settled },
    mastercard: {
      ...mastercard,
      settledBefore: mastercardSettledBefore ?? mastercard.settledBefore,
    },
  };
}

/** The month that a time is in. */
export function monthAt(now: Date): Month {
  const month = monthOf(now.toISOString().slice(0, 7));
  if (month === undefined) throw new RangeError('the time is in no month of this century');
  return month;
}
