import type { Fonts } from './fonts.ts';

const tab = 0x09;
const lineFeed = 0x0a;

/** What every document says of `printable`. */
export const missingLettersNote =
  'A letter that the font of this document lacks is written as its Unicode number, such as [U+738B].';

/**
 * The text as the fonts can print it. A letter that they lack stands as its Unicode number, such as
 * `[U+738B]`, never as an empty box. Marks that only steer a text, such as those that turn its
 * direction, become blanks: evidence must not read otherwise than it is written.
 */
export function printable(fonts: Pick<Fonts, 'has'>, text: string): string {
  let printed = '';
  for (const letter of text.normalize('NFC')) {
    const codePoint = letter.codePointAt(0) ?? 0;
    if (codePoint === lineFeed) printed += letter;
    else if (codePoint === tab || /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u.test(letter)) printed += ' ';
    else if (fonts.has(codePoint)) printed += letter;
    else printed += `[U+${codePoint.toString(16).toUpperCase().padStart(4, '0')}]`;
  }
  return printed;
}
