import { formatAmount } from './format-amount.ts';

/** An amount in its currency. `value` is a decimal in major units, as the API gives it. */
export function Amount({ value, currency }: { readonly value: number; readonly currency: string }) {
  return <span className="amount">{formatAmount(value, currency)}</span>;
}
