import { maskCardNumbers } from './cards/card-numbers.ts';
import { limits } from './limits.ts';

/**
 * A text of another party as it can be kept: no longer than `limits.messageLength`, without the digits
 * of card numbers, and without what PostgreSQL refuses (NUL, half of a surrogate pair), since its words
 * must never keep what they came with from being recorded.
 */
export function truncatedText(text: string): string {
  const cut = text.slice(0, 2 * limits.messageLength);
  return maskCardNumbers(cut).slice(0, limits.messageLength).replaceAll('\0', ' ').toWellFormed();
}

/** Whether a text of another party can be kept as an id. One is never cut: it would be another id. */
export function isStorableId(text: string): boolean {
  const { length } = text;
  return length >= 1 && length <= limits.idLength && !text.includes('\0') && text.isWellFormed();
}

/** A text of another party as a terminal shows it: it moves no cursor, changes no colour and begins no line of its own. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\u2028\u2029]/gu, '?');
}
