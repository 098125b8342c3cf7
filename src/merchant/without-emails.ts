/** What an address can stand in: whatever ends it in a text is left out. */
const words = /[^\s"'<>(),;:]+/g;
/** In a query, the sign is escaped. */
const sign = /(@|%40)/;
const domain = /^.+\.\p{L}{2,}/u;

/**
 * A text with `mark` in the place of its e-mail addresses. Word by word and sign by sign: one expression for the whole of an
 * address tries each beginning of a long word anew, and takes a tenth of a second for eight kilobytes without a blank.
 */
export function withoutEmails(text: string, mark: string): string {
  return text.replace(words, (word) => (sign.test(word) ? withoutSigned(word, mark) : word));
}

function withoutSigned(word: string, mark: string): string {
  const [first = '', ...rest] = word.split(sign);
  let kept = '';
  let name = first;
  for (let index = 0; index < rest.length; index += 2) {
    const [at = '', after = ''] = rest.slice(index, index + 2);
    const host = name === '' ? undefined : domain.exec(after)?.[0];
    kept += host === undefined ? name + at : mark;
    name = after.slice(host?.length ?? 0);
  }
  return kept + name;
}
