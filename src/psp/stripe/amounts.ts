import { currencyExponent, type Money } from '../../domain/money.ts';
import { shiftDecimals } from '../shift-decimals.ts';

/**
 * Decimals of Stripe's amounts where they are not those of ISO 4217 that `domain/money.ts` has:
 * krona and Ugandan shilling kept two decimals, always zero, and the ariary has none.
 * Source: docs.stripe.com/currencies, "Special cases" and "Zero-decimal currencies".
 */
const ownExponents: Readonly<Record<string, number>> = { ISK: 2, UGX: 2, MGA: 0 };

/** Stripe's amounts are whole numbers of this many of its units. Same source. */
function unitStep(currency: string): number {
  if (currency === 'ISK' || currency === 'UGX') return 100;
  return currencyExponent(currency) === 3 ? 10 : 1;
}

export type StripeAmount =
  | { readonly kind: 'amount'; readonly amount: number; readonly currency: string }
  | { readonly kind: 'not_taken'; readonly reason: string };

/** An amount in Stripe's units and its lower-case currency, or why Stripe would not take it. */
export function stripeAmount({ amountMinor, currency }: Money): StripeAmount {
  const shift = decimalsOf(currency) - currencyExponent(currency);
  const amount = shiftDecimals(amountMinor, shift);
  const step = unitStep(currency);
  if (!Number.isSafeInteger(amount) || amount <= 0) {
    return { kind: 'not_taken', reason: `Stripe takes no such amount in ${currency}` };
  }
  if (amount % step !== 0) {
    return {
      kind: 'not_taken',
      reason: `Stripe takes amounts in ${currency} only in steps of ${step} of its units`,
    };
  }
  return { kind: 'amount', amount, currency: currency.toLowerCase() };
}

/** Money of Stripe's amount; undefined where the currency has no such part. */
export function moneyOf(amount: number, stripeCurrency: string): Money | undefined {
  const currency = stripeCurrency.toUpperCase();
  const shift = currencyExponent(currency) - decimalsOf(currency);
  const amountMinor = shiftDecimals(amount, shift);
  return Number.isSafeInteger(amountMinor) ? { amountMinor, currency } : undefined;
}

function decimalsOf(currency: string): number {
  return ownExponents[currency] ?? currencyExponent(currency);
}
