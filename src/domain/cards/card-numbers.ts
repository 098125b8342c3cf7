import { findCardNumbers, mayHoldCardNumber, type Reading } from './find-card-numbers.ts';

/** Digits that stay readable: they are on receipts too (PCI DSS 3.4.1 allows the first six besides). */
const shownDigits = 4;

/** A network's id of a transaction: Visa's are 15 digits, of which some pass for American Express's. */
const networkIdDigits = 15;

/** Whether an id is, or holds as a part of its own, a card's number. */
export function holdsCardNumber(id: string, of?: 'network_transaction'): boolean {
  if (!mayHoldCardNumber(id)) return false;
  const spans = findCardNumbers([...id], 'id');
  if (of === undefined) return spans.length > 0;
  return spans.some(({ start, end }) => end - start !== networkIdDigits);
}

/**
 * The text with a `*` for each digit of a card's number but the last four. It is as long as it was, and
 * holds no card's number any more. A text of digits alone is read as an id: in a merchant's own fields
 * it is likelier one.
 */
export function maskCardNumbers(text: string): string {
  if (!mayHoldCardNumber(text)) return text;
  const characters = [...text];
  const reading: Reading = /^\p{Nd}+$/u.test(text) ? 'id' : 'text';
  const spans = findCardNumbers(characters, reading);
  if (spans.length === 0) return text;
  for (const { start, end } of spans) {
    let left = shownDigits;
    for (let index = end - 1; index >= start; index -= 1) {
      if (!/\p{Nd}/u.test(characters[index] ?? '')) continue;
      if (left > 0) left -= 1;
      else characters[index] = '*';
    }
  }
  return characters.join('');
}

/** The same for a number, which JSON may hold a card's in; masked, it is a text. */
export function maskCardDigits(value: number): number | string {
  if (!Number.isSafeInteger(value)) return value;
  const text = value.toString();
  const masked = maskCardNumbers(text);
  return masked === text ? value : masked;
}
