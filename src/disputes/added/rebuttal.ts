/** Characters of a rebuttal. Source: Stripe, dispute evidence, `uncategorized_text`. */
export const rebuttalLimit = 20_000;
/** Ours: with it the PDF keeps room for the charges within the 19 pages that Mastercard takes. */
export const rebuttalLines = 400;

/** A rebuttal as it is kept: with `\n` for every line break, and nothing blank around it. */
export function cleanRebuttal(text: string): string {
  return text.replaceAll(/\r\n?/g, '\n').trim();
}

/** What is wrong with a rebuttal, in a sentence; undefined where it can be kept. */
export function rebuttalFault(text: string): string | undefined {
  const clean = cleanRebuttal(text);
  const characters = charactersIn(clean);
  if (characters > rebuttalLimit) {
    return `A rebuttal may have at most ${rebuttalLimit} characters; this one has ${characters}.`;
  }
  const lines = clean.split('\n').length;
  if (lines > rebuttalLines) {
    return `A rebuttal may have at most ${rebuttalLines} lines; this one has ${lines}.`;
  }
  return hasControls(clean) ? 'A rebuttal must not contain control characters.' : undefined;
}

/** Unicode characters, as PSPs count them: a pair of surrogates is one. */
export function charactersIn(text: string): number {
  return [...text].length;
}

/** All but tabs and line breaks: they print nothing, and some PSPs refuse them. */
function hasControls(text: string): boolean {
  return /[^\P{Cc}\t\n]/u.test(text);
}
