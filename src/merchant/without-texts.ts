/** A text with its escapes read, and where each of its characters, and its end, stands in the text as it came. */
interface Reading {
  readonly text: string;
  readonly placeOf: (index: number) => number;
}

type Span = readonly [from: number, to: number];

/** JSON, HTML and forms, as far as visible ASCII is escaped in them: no header carries more. */
const escapes =
  /\\u00([2-7][0-9a-f])|\\(["'\\/])|&#x0*([2-7][0-9a-f]);|&#0*(\d{2,3});|&(amp|lt|gt|quot|apos);|%([2-7][0-9a-f])/gi;
const named: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  apos: "'",
};
/** JSON within JSON within a page. */
const maxLayers = 3;

/** A text without these others, however they are escaped in it, each with `mark` in its place. */
export function withoutTexts(text: string, others: readonly string[], mark: string): string {
  const spans: Span[] = [];
  let reading: Reading | undefined = { text, placeOf: (index) => index };
  for (let layer = 0; reading !== undefined && layer <= maxLayers; layer += 1) {
    for (const other of others) spans.push(...spansOf(reading, other));
    reading = readOnce(reading);
  }
  return replaced(text, spans, mark);
}

function spansOf({ text, placeOf }: Reading, other: string): Span[] {
  const spans: Span[] = [];
  for (let at = text.indexOf(other); at >= 0; at = text.indexOf(other, at + other.length)) {
    spans.push([placeOf(at), placeOf(at + other.length)]);
  }
  return spans;
}

/** Undefined where nothing is escaped. */
function readOnce({ text, placeOf }: Reading): Reading | undefined {
  const places: number[] = [];
  let read = '';
  let end = 0;
  const take = (to: number): void => {
    for (let index = end; index < to; index += 1) places.push(placeOf(index));
    read += text.slice(end, to);
    end = to;
  };
  for (const found of text.matchAll(escapes)) {
    take(found.index);
    places.push(placeOf(found.index));
    read += characterOf(found);
    end += found[0].length;
  }
  if (end === 0) return undefined;
  take(text.length);
  places.push(placeOf(text.length));
  return { text: read, placeOf: (index) => places[index] ?? placeOf(text.length) };
}

function characterOf(found: RegExpExecArray): string {
  const [, json, plain, hex, decimal, name, form] = found;
  const code = json ?? hex ?? form;
  if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16));
  if (decimal !== undefined) return String.fromCharCode(Number(decimal));
  return plain ?? named[name?.toLowerCase() ?? ''] ?? '';
}

/** Those that overlap are one. */
function replaced(text: string, spans: readonly Span[], mark: string): string {
  let kept = '';
  let end = 0;
  for (const [from, to] of spans.toSorted(([a], [b]) => a - b)) {
    if (from >= end) kept += text.slice(end, from) + mark;
    end = Math.max(end, to);
  }
  return kept + text.slice(end);
}
