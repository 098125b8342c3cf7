import { blankUuids } from './blank-uuids.ts';
import { beginsWithDate, isCardNumber } from './card-digits.ts';

/** A card's number in a text, by the places of its characters. */
interface Span {
  readonly start: number;
  readonly end: number;
}

/**
 * `id`: a name that a system made. A number counts where it stands apart, in one run or in a card's own
 * groups, and a run that begins with a date does not. `text`: what people write, where it counts however
 * it is broken up, between letters too.
 */
export type Reading = 'id' | 'text';

/** Fewer digits hold no card's number. */
const fewestDigits = 12;
const manyDigits = /\p{Nd}(?:[^\p{L}\p{Nd}]{0,3}\p{Nd}){11}/u;
const mostDigits = 19;

/** The groups that card numbers are printed in, besides the plain run; of those that begin alike the longer first. */
const printedGroups: readonly (readonly number[])[] = [
  [4, 4, 4, 4, 3],
  [4, 4, 4, 4, 2],
  [4, 4, 4, 4, 1],
  [4, 4, 4, 4],
  [4, 6, 5],
  [4, 6, 4],
  [4, 4, 4],
  [4, 3, 3, 3],
  [6, 13],
  [8, 8],
];

/** What stands between the groups of a number, and how much of it at most. */
interface Separators {
  readonly each: RegExp;
  readonly most: number;
}

/** Blanks, dashes, dots, and what has no width. */
const usual: Separators = { each: /[\p{Zs}\p{Pd}\p{Cf}\t.\u00b7\u2212]/u, most: 3 };
/** What lists, dates and times have as well: only a card's own groups count, and only in texts. */
const seldom: Separators = { each: /[_/,:;|+\n\r\p{Zs}]/u, most: 2 };
const letter = /\p{L}/u;
const digit = /\p{Nd}/u;

interface Group extends Span {
  readonly digits: string;
}

/** Every card's number in the characters of a text. */
export function findCardNumbers(given: readonly string[], reading: Reading): readonly Span[] {
  const characters = blankUuids(given);
  const found = chainsIn(characters, usual).flatMap((chain) =>
    cardsOf(chain, (from) => groupsOfCard(chain, from, { characters, reading })),
  );
  if (reading === 'id') return found;
  const others = chainsIn(characters, seldom).flatMap((chain) =>
    cardsOf(chain, (from) => printedAt(chain, from, characters)),
  );
  return [...found, ...others];
}

/** The cards' numbers of a chain, given the groups of the one that begins with its nth group. */
function cardsOf(
  chain: readonly Group[],
  groupsAt: (from: number) => readonly Group[],
): readonly Span[] {
  const found: Span[] = [];
  let from = 0;
  while (from < chain.length) {
    const groups = groupsAt(from);
    if (groups.length > 0) found.push(joined(groups));
    from += Math.max(1, groups.length);
  }
  return found;
}

/** A cheap look, since nearly every text has none. */
export function mayHoldCardNumber(text: string): boolean {
  return text.length >= fewestDigits && manyDigits.test(text);
}

/** The groups of the card's number that begins with a group of the chain; none where there is none. */
function groupsOfCard(
  chain: readonly Group[],
  from: number,
  of: { readonly characters: readonly string[]; readonly reading: Reading },
): readonly Group[] {
  const { characters, reading } = of;
  const first = chain[from];
  if (first === undefined) return [];
  const isWhole = reading === 'text' && chain.length > 1 && chain.length <= mostDigits;
  if (isWhole && from === 0 && isCardNumber(joined(chain).digits, true)) return chain;
  if (isRun(first, characters, reading)) return [first];
  return printedAt(chain, from, characters);
}

/** The groups from one on, if they are those that cards' numbers are printed in. */
function printedAt(
  chain: readonly Group[],
  from: number,
  characters: readonly string[],
): readonly Group[] {
  for (const lengths of printedGroups) {
    const groups = chain.slice(from, from + lengths.length);
    if (!lengths.every((length, index) => groups[index]?.digits.length === length)) continue;
    const number = joined(groups);
    if (isApart(number, characters) && isCardNumber(number.digits, true)) return groups;
  }
  return [];
}

function isRun(group: Group, characters: readonly string[], reading: Reading): boolean {
  if (!isCardNumber(group.digits, false)) return false;
  if (reading === 'id') return isApart(group, characters) && !beginsWithDate(group.digits);
  return isApart(group, characters) || !isInHash(group, characters);
}

function isApart({ start, end }: Span, characters: readonly string[]): boolean {
  return !letter.test(characters[start - 1] ?? '') && !letter.test(characters[end] ?? '');
}

/** Shortest word of hexadecimal digits that is taken for a hash or a random id. */
const hashLength = 20;

function isInHash({ start, end }: Span, characters: readonly string[]): boolean {
  const isHex = (at: number) => /^[0-9a-fA-F]$/.test(characters[at] ?? '');
  let [first, last] = [start, end];
  while (start - first < hashLength && isHex(first - 1)) first -= 1;
  while (last - end < hashLength && isHex(last)) last += 1;
  return last - first >= hashLength && last - first > end - start;
}

/** Groups of digits with nothing but a few separators between them. */
function chainsIn(
  characters: readonly string[],
  { each, most }: Separators,
): readonly (readonly Group[])[] {
  const chains: Group[][] = [];
  let index = 0;
  let lastEnd = Number.NEGATIVE_INFINITY;
  while (index < characters.length) {
    if (!digit.test(characters[index] ?? '')) {
      if (!each.test(characters[index] ?? '')) lastEnd = Number.NEGATIVE_INFINITY;
      index += 1;
      continue;
    }
    const group = groupAt(characters, index);
    const chain = index - lastEnd <= most ? chains.at(-1) : undefined;
    if (chain === undefined) chains.push([group]);
    else chain.push(group);
    index = group.end;
    lastEnd = index;
  }
  return chains;
}

function groupAt(characters: readonly string[], start: number): Group {
  let end = start;
  let digits = '';
  while (digit.test(characters[end] ?? '')) {
    digits += digitOf(characters[end] ?? '');
    end += 1;
  }
  return { start, end, digits };
}

function joined(groups: readonly Group[]): Group {
  const [first, last] = [groups[0], groups.at(-1)];
  return {
    start: first?.start ?? 0,
    end: last?.end ?? 0,
    digits: groups.map(({ digits }) => digits).join(''),
  };
}

const zero = 0x30;
const nine = 0x39;

/** A decimal digit of any script by its value: each script's ten stand together, the zero first. */
function digitOf(character: string): number {
  const code = character.codePointAt(0) ?? 0;
  if (code >= zero && code <= nine) return code - zero;
  let first = code;
  while (digit.test(String.fromCodePoint(first - 1))) first -= 1;
  return (code - first) % 10;
}
