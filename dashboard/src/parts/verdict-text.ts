import type { FigureJson, UpliftVerdictJson } from '../api/generated/overview.ts';
import { count, formatDecimal } from './count.ts';
import { formatAmount } from './format-amount.ts';
import { signedText } from './number-text.ts';
import { formatShare } from './percent.ts';

/** Fewer have no interval. */
const fewestPayers = 20;

const learned = {
  more: 'The learned policy recovers more than the holdout',
  less: 'The learned policy recovers less than the holdout',
} as const;

/** Whether the learned policy, or what else `words` names, recovers more than the holdout, in a sentence. */
export function verdictText(
  { result, payments_needed: needed }: UpliftVerdictJson,
  words: { readonly more: string; readonly less: string } = learned,
): string {
  switch (result) {
    case 'more':
      return words.more;
    case 'less':
      return words.less;
    case 'too_few':
      return `Too few payers to say (needs at least ${fewestPayers} in each group)`;
    default:
      return needed === undefined
        ? 'Not significant yet'
        : `Not significant yet (needs about ${count(needed, 'more payment', 'more payments')})`;
  }
}

/** The money beyond what the holdout's rate would have brought: `+€1,234.00`. */
export function verdictAmount({ amount }: UpliftVerdictJson, currency: string): string {
  return signedText(amount.value, (value) => formatAmount(value, currency));
}

/** Its interval: `95%: −€200.00 to +€2,668.00`; undefined with too few payers. */
export function amountInterval(
  { amount }: UpliftVerdictJson,
  currency: string,
): string | undefined {
  return intervalOf(amount, (value) => formatAmount(value, currency));
}

/** The difference of the recovery rates with its interval, in percentage points. */
export function rateText({ rate }: { readonly rate: FigureJson }): string {
  const points = (value: number) => `${formatDecimal(value * 100, 1)}\u00a0pp`;
  const interval = intervalOf(rate, points);
  return `${signedText(rate.value, points)}${interval === undefined ? '' : `, ${interval}`}`;
}

function intervalOf(
  { low, high }: FigureJson,
  format: (value: number) => string,
): string | undefined {
  if (low === undefined || high === undefined) return undefined;
  return `${formatShare(0.95)}: ${signedText(low, format)} to ${signedText(high, format)}`;
}
