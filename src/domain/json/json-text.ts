const backslash = 0x5c;

/** The index of the quote that ends the string which begins at `start` in a valid JSON text. */
export function endOfString(text: string, start: number): number {
  let end = text.indexOf('"', start + 1);
  while (isEscaped(text, end)) end = text.indexOf('"', end + 1);
  return end;
}

/** Whether an odd number of backslashes stands before `index`. */
function isEscaped(text: string, index: number): boolean {
  let first = index;
  while (text.charCodeAt(first - 1) === backslash) first -= 1;
  return (index - first) % 2 === 1;
}

/**
 * Whether a JSON number arrives as it was sent. Beyond 2^53 - 1 a double stands for several
 * integers, so an id written as a number would come back as another one (RFC 7493, 2.2).
 */
export function isKeptExactly(value: number): boolean {
  return value >= Number.MIN_SAFE_INTEGER && value <= Number.MAX_SAFE_INTEGER;
}
