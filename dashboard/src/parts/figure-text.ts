import type { FigureJson } from '../api/generated/payments.ts';
import { formatDecimal } from './count.ts';
import { formatShare } from './percent.ts';

/** The metrics of the report, and how each is written. */
export const metrics = [
  ['recovered_rate', 'Recovered by a retry', 'share'],
  ['recovered_or_paid_rate', 'Recovered or paid otherwise', 'share'],
  ['recovered_amount_rate', 'Recovered amount', 'share'],
  ['net_amount_rate', 'The same, net of disputes', 'share'],
  ['attempts_per_recovery', 'Tries per recovery', 'number'],
  ['days_to_recovery', 'Days to recovery', 'number'],
  ['fees_per_payment', 'Fees per payment', 'number'],
] as const;

export type Form = (typeof metrics)[number][2];

/** A value with its interval: `58.3% [55.1, 61.4]`. */
export function figureText(figure: FigureJson | undefined, form: Form): string {
  if (figure === undefined) return 'none';
  const value = form === 'share' ? formatShare(figure.value, 1) : number(figure.value, form);
  return `${value}${interval(figure, form)}`;
}

/** A difference: `+6.1 pp [3.9, 8.3]`. */
export function differenceText(figure: FigureJson | undefined, form: Form): string {
  if (figure === undefined) return 'none';
  const sign = figure.value > 0 ? '+' : '';
  const unit = form === 'share' ? ' pp' : '';
  return `${sign}${number(figure.value, form)}${unit}${interval(figure, form)}`;
}

function interval({ low, high }: FigureJson, form: Form): string {
  if (low === undefined || high === undefined) return '';
  return ` [${number(low, form)}, ${number(high, form)}]`;
}

function number(value: number, form: Form): string {
  return form === 'share' ? formatDecimal(value * 100, 1) : formatDecimal(value, 2);
}
