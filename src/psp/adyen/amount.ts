import { currencyExponent, type Money } from '../../domain/money.ts';
import { shiftDecimals } from '../shift-decimals.ts';

/**
 * Currencies that have other decimals at Adyen than in ISO 4217. Source: docs.adyen.com,
 * development-resources/currency-codes, the rows marked as differing from the standard.
 */
const ownExponents: Readonly<Record<string, number>> = { CLP: 2, CVE: 0, IDR: 0, ISK: 2 };

/** An amount in Adyen's minor units; undefined where Adyen has no unit so small. */
export function adyenValue({ amountMinor, currency }: Money): number | undefined {
  const value = shiftDecimals(amountMinor, adyenExponent(currency) - currencyExponent(currency));
  return Number.isSafeInteger(value) ? value : undefined;
}

/** What Adyen says of a payment's money, to be spread into a result. */
export function toldMoney(
  value: unknown,
  currency: unknown,
): { readonly amountMinor?: number; readonly currency?: string } {
  if (typeof value !== 'number' || typeof currency !== 'string') return {};
  const amountMinor = minorFromAdyen(value, currency);
  return amountMinor === undefined ? { currency } : { amountMinor, currency };
}

/** An amount of Adyen in our minor units; undefined where we have no unit so small. */
export function minorFromAdyen(value: number, currency: string): number | undefined {
  const amountMinor = shiftDecimals(value, currencyExponent(currency) - adyenExponent(currency));
  return Number.isSafeInteger(amountMinor) && amountMinor >= 0 ? amountMinor : undefined;
}

function adyenExponent(currency: string): number {
  return Object.hasOwn(ownExponents, currency)
    ? (ownExponents[currency] ?? 2)
    : currencyExponent(currency);
}
