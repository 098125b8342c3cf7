import type { FigureJson } from '../api/generated/overview.ts';
import { formatDecimal } from './count.ts';
import { formatFee } from './format-amount.ts';
import { signedText } from './number-text.ts';
import { formatShare } from './percent.ts';

/** The metrics of the report, and how each is written. */
export const metrics = [
  ['recovered_rate', 'Recovered by a retry', 'share'],
  ['recovered_or_paid_rate', 'Recovered or paid otherwise', 'share'],
  ['recovered_amount_rate', 'Recovered amount', 'share'],
  ['net_amount_rate', 'The same, net of disputes', 'share'],
  ['attempts_per_recovery', 'Tries per recovery', 'number'],
  ['days_to_recovery', 'Days to recovery', 'number'],
  ['fees_per_payment', 'Fees per payment', 'fee'],
] as const;

/** How a metric is written; a fee is in the currency of its payments. */
export type Form = (typeof metrics)[number][2];

/** A value with its interval: `58.3% [55.1, 61.4]`. */
export function figureText(figure: FigureJson | undefined, form: Form, currency?: string): string {
  if (figure === undefined) return 'none';
  const write = writing(form, currency);
  const value = form === 'share' ? formatShare(figure.value, 1) : write(figure.value);
  return `${value}${interval(figure, write)}`;
}

/** A difference: `+6.1 pp [3.9, 8.3]`. */
export function differenceText(
  figure: FigureJson | undefined,
  form: Form,
  currency?: string,
): string {
  if (figure === undefined) return 'none';
  const write = writing(form, currency);
  const unit = form === 'share' ? '\u00a0pp' : '';
  const value = signedText(figure.value, (size) => `${write(size)}${unit}`);
  return `${value}${interval(figure, write)}`;
}

function interval({ low, high }: FigureJson, write: (value: number) => string): string {
  if (low === undefined || high === undefined) return '';
  return ` [${write(low)}, ${write(high)}]`;
}

function writing(form: Form, currency: string | undefined): (value: number) => string {
  if (form === 'share') return (value) => formatDecimal(value * 100, 1);
  if (form === 'fee' && currency !== undefined) return (value) => formatFee(value, currency);
  return (value) => formatDecimal(value, 2);
}
