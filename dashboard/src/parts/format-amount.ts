import { numberText } from './number-text.ts';

/**
 * Decimals of the currencies whose count here is not Intl's: card networks settle them so, and the
 * API's amounts are exact in them (ISO 4217, list one).
 */
const digits: Readonly<Record<string, number>> = {
  BHD: 3,
  IQD: 3,
  JOD: 3,
  KWD: 3,
  LYD: 3,
  OMR: 3,
  TND: 3,
  UYI: 0,
};

/** How many decimals amounts of a currency have. */
function currencyDigits(currency: string): number {
  const own = digits[currency];
  if (own !== undefined) return own;
  if (zeroDecimal.has(currency)) return 0;
  return 2;
}

const zeroDecimal = new Set(
  'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF'.split(' '),
);

const formats = new Map<string, (value: number) => string>();

/** A decimal in major units, as the viewer's language writes it. */
export function formatAmount(value: number, currency: string): string {
  return write(value, currency, currencyDigits(currency));
}

/** A fee, of which some are parts of a cent: below one unit with as many decimals as it has, up to four. */
export function formatFee(value: number, currency: string): string {
  const digits = currencyDigits(currency);
  return write(value, currency, Math.abs(value) < 1 ? Math.max(digits, 4) : digits);
}

function write(value: number, currency: string, most: number): string {
  const key = `${currency} ${most}`;
  let format = formats.get(key);
  if (format === undefined) {
    const ends = {
      minimumFractionDigits: currencyDigits(currency),
      maximumFractionDigits: most,
    };
    format = numberText({ style: 'currency', currency, ...ends });
    formats.set(key, format);
  }
  return format(value);
}

/** Sums whose amounts the API gives in minor units. */
export function formatMinor(amountMinor: number, currency: string): string {
  return formatAmount(amountMinor / 10 ** currencyDigits(currency), currency);
}
