import { currencyExponent, type Money } from '../../domain/money.ts';

/** Amounts have nine digits at most. Source: Checkout.com, docs, format the amount value. */
const maxUnits = 999_999_999;

/** Currencies without decimals that Checkout.com nevertheless counts in hundredths. */
const hundredths: readonly string[] = ['CLP', 'UYI'];

/**
 * The amount as Checkout.com counts it: minor units, but hundredths of a Chilean peso, and
 * thousandths only in tens. Otherwise why it cannot be charged.
 */
export function checkoutAmount(money: Money): { readonly units: number } | { fault: string } {
  const { amountMinor, currency } = money;
  if (!Number.isInteger(amountMinor) || amountMinor < 1) return { fault: 'no amount to charge' };
  const units = hundredths.includes(currency) ? amountMinor * 100 : amountMinor;
  if (units > maxUnits) return { fault: 'Checkout.com takes amounts of nine digits at most' };
  if (currencyExponent(currency) === 3 && units % 10 !== 0) {
    return { fault: `Checkout.com takes amounts in ${currency} with two decimals only` };
  }
  return { units };
}

/** An amount of Checkout.com in our minor units; undefined where it is no amount of money. */
export function minorFromCheckout(units: number, currency: string): number | undefined {
  const amountMinor = hundredths.includes(currency) ? units / 100 : units;
  return Number.isSafeInteger(amountMinor) && amountMinor >= 0 ? amountMinor : undefined;
}
