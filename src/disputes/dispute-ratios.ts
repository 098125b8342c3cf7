import { judgeMonth, type Month, monthOf } from '../domain/disputes/monitoring/judge-month.ts';
import { present } from '../domain/present.ts';
import type { DisputeRatios, DisputeReports, MonthlyCounts } from './report-ports.ts';

export interface RatiosInput {
  readonly merchantId?: string;
  readonly month: Month;
  readonly now: Date;
  /** What the acquirer says was settled, for one merchant: Recoup knows of what it was told alone. */
  readonly visaSettled?: number;
  readonly mastercardSettledBefore?: number;
}

/** What the networks' programmes would say of each merchant's month. */
export async function disputeRatios(
  deps: { readonly reports: Pick<DisputeReports, 'countMonth'> },
  input: RatiosInput,
): Promise<readonly DisputeRatios[]> {
  const { merchantId, month, now } = input;
  const monthBefore = monthBeforeOf(month);
  const counts = await deps.reports.countMonth({
    ...present({ merchantId }),
    monthBefore,
    ...month,
  });
  return counts.map((one) => {
    const known = withStatement(one, input);
    return { ...known, verdicts: judgeMonth(known, month, now) };
  });
}

function monthBeforeOf({ from }: Month): Date {
  return new Date(Date.UTC(from.getUTCFullYear(), from.getUTCMonth() - 1));
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
