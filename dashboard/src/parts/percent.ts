import { numberText } from './number-text.ts';

const formats = new Map<number, (value: number) => string>();

/** A share from 0 to 1 as the viewer's language writes percents. */
export function formatShare(share: number, digits = 0): string {
  let format = formats.get(digits);
  if (format === undefined) {
    const ends = { minimumFractionDigits: digits, maximumFractionDigits: digits };
    format = numberText({ style: 'percent', ...ends });
    formats.set(digits, format);
  }
  return format(share);
}

/** A share in words: `12.5%`, and of nothing `none yet`. */
export function percent(part: number, whole: number): string {
  return whole === 0 ? 'none yet' : formatShare(part / whole, 1);
}
