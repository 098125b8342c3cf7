/** An amount in the currency's minor unit (cents of USD, whole yen of JPY), with its currency. */
export interface Money {
  readonly amountMinor: number;
  readonly currency: string;
}

/**
 * Decimals of the currencies that do not have two. Source: ISO 4217, list one (amendment 177), the
 * entries that a card network settles in; every other currency has two.
 */
const exponents: Readonly<Record<string, number>> = {
  BIF: 0,
  CLP: 0,
  DJF: 0,
  GNF: 0,
  ISK: 0,
  JPY: 0,
  KMF: 0,
  KRW: 0,
  PYG: 0,
  RWF: 0,
  UGX: 0,
  UYI: 0,
  VND: 0,
  VUV: 0,
  XAF: 0,
  XOF: 0,
  XPF: 0,
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
};

/** Twelve digits of minor units: the most that the card networks' amount field carries (ISO 8583 DE 4). */
export const maxAmountMinor = 999_999_999_999;

/** How many decimals amounts of `currency` (three upper-case letters) have. */
export function currencyExponent(currency: string): number {
  return exponents[currency] ?? 2;
}

/** The currencies whose amounts have so many decimals, where those are not two. */
export function currenciesOf(exponent: 0 | 3): readonly string[] {
  return Object.keys(exponents).filter((currency) => exponents[currency] === exponent);
}

export type DecimalFault = 'not_a_number' | 'negative' | 'too_many_decimals' | 'too_large';

/**
 * Minor units of a decimal as JSON gave it. The number's shortest decimal text is read digit by
 * digit, never multiplied: 12.23 is exactly 1223 cents, and a third decimal of a euro is a fault.
 */
export function minorFromDecimal(
  decimal: number,
  currency: string,
): { readonly amountMinor: number } | { readonly fault: DecimalFault } {
  if (!Number.isFinite(decimal)) return { fault: 'not_a_number' };
  if (decimal < 0) return { fault: 'negative' };
  const exponent = currencyExponent(currency);
  const text = decimal.toString();
  // Exponent notation starts at 1e21 and below 1e-6: outside every amount that can be charged.
  if (text.includes('e')) return { fault: decimal > 1 ? 'too_large' : 'too_many_decimals' };
  const [whole = '0', fraction = ''] = text.split('.');
  if (fraction.length > exponent) return { fault: 'too_many_decimals' };
  const amountMinor = Number(whole + fraction.padEnd(exponent, '0'));
  return amountMinor > maxAmountMinor ? { fault: 'too_large' } : { amountMinor };
}

/** The exact decimal text of an amount: 1223 USD is `12.23`, 1223 JPY is `1223`. */
export function decimalText(money: Money): string {
  const exponent = currencyExponent(money.currency);
  if (exponent === 0) return money.amountMinor.toString();
  const digits = money.amountMinor.toString().padStart(exponent + 1, '0');
  return `${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
}

/**
 * The amount as a JSON number. Twelve digits fit a double's fifteen, so the number prints as the
 * exact decimal without its trailing zeros.
 */
export function decimalNumber(money: Money): number {
  return Number(decimalText(money));
}
