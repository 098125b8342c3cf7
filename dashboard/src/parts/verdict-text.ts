import type {
  FigureJson,
  UpliftVerdictJson,
  VerdictResultJson,
} from '../api/generated/overview.ts';
import { count, formatDecimal } from './count.ts';
import { formatAmount } from './format-amount.ts';
import { signedText } from './number-text.ts';
import { formatShare } from './percent.ts';

/** Fewer have no interval. */
const fewestPayers = 20;

/** What is compared, with its verb, and with what. */
export interface Compared {
  readonly subject: string;
  readonly than: string;
}

const learned: Compared = { subject: 'The learned policy recovers', than: ' than the holdout' };

/**
 * Whether the learned policy, or another `subject`, recovers more than the holdout, in a sentence. It claims of the
 * money and of the recovery rate what the interval of each says, and no more.
 */
export function verdictText(
  verdict: UpliftVerdictJson,
  { subject, than }: Compared = learned,
): string {
  const { result, rate_result: ofRate } = verdict;
  const payments = ofRate === 'less' ? 'fewer payments' : 'more payments';
  if (isSettled(result)) {
    if (result === ofRate) return `${subject} ${result}${than}`;
    const money = `${subject} ${result} money${than}`;
    if (isSettled(ofRate)) return `${money}, and ${payments}`;
    return `${money}; ${unsettledText('the recovery rate', ofRate, verdict.rate_payments_needed)}`;
  }
  if (isSettled(ofRate)) {
    const rate = `${subject} ${payments}${than}`;
    return `${rate}; ${unsettledText('the money', result, verdict.payments_needed)}`;
  }
  return result === 'too_few'
    ? `Too few payers to say (needs at least ${fewestPayers} in each group)`
    : `Not significant yet${neededText(verdict.payments_needed)}`;
}

/** What the verdict says beyond the sign and the interval of the money, which stand above it; undefined: nothing. */
export function besideMoney(verdict: UpliftVerdictJson): string | undefined {
  const { result, rate_result: ofRate } = verdict;
  if (!isSettled(result)) return verdictText(verdict);
  if (result === ofRate) return undefined;
  if (isSettled(ofRate)) return `The recovery rate is ${ofRate === 'more' ? 'higher' : 'lower'}`;
  const words = unsettledText('the recovery rate', ofRate, verdict.rate_payments_needed);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function isSettled(result: VerdictResultJson): result is 'more' | 'less' {
  return result === 'more' || result === 'less';
}

function unsettledText(
  what: string,
  result: VerdictResultJson,
  needed: number | undefined,
): string {
  return result === 'too_few'
    ? `too few payers to say so of ${what}`
    : `${what} does not differ significantly yet${neededText(needed)}`;
}

function neededText(needed: number | undefined): string {
  return needed === undefined
    ? ''
    : ` (needs about ${count(needed, 'more payment', 'more payments')})`;
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
