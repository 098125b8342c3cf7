import { numberText } from './number-text.ts';

const numbers = numberText();

/** Of English, the language of the words: which of them a number takes. */
const plurals = new Intl.PluralRules('en');

/** A whole number as the viewer's language writes it. */
export function formatCount(number: number): string {
  return numbers(number);
}

const decimals = new Map<number, (value: number) => string>();

/** A number with so many decimals, with the viewer's separators. */
export function formatDecimal(number: number, digits: number): string {
  let format = decimals.get(digits);
  if (format === undefined) {
    const ends = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = numberText(ends);
    decimals.set(digits, format);
  }
  return format(number);
}

/** Which of two words a number takes: `is` or `are`. */
export function plural(number: number, one: string, many: string): string {
  return plurals.select(number) === 'one' ? one : many;
}

/** A number with its word: `1 try`, `3 tries`. */
export function count(number: number, one: string, many: string): string {
  return `${formatCount(number)} ${plural(number, one, many)}`;
}
