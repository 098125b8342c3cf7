import { limits } from '../limits.ts';
import { type Fault, wholeBody } from './fault.ts';
import { endOfString, isKeptExactly } from './json-text.ts';
import { membersOf, type Shape } from './shape.ts';

/** Longest location that is named, so that a key of 60 kB is not copied for each fault in it. */
const locationLength = 255;

/** The fault of a body that is nested deeper than `limits.requestBodyDepth`. */
export const tooDeepText = `Input should be nested at most ${limits.requestBodyDepth} levels deep`;

/**
 * Every member given twice, and every character or number that cannot be kept, with its location
 * and in the order of the text; or the one fault of nesting too deep. Members that the shape does not
 * declare are passed over, whatever is in them. The text is valid JSON.
 */
export function findJsonFaults(text: string, shape?: Shape): readonly Fault[] {
  const faults: Fault[] = [];
  const reading = { text, index: 0, faults, depth: 0, isTooDeep: false };
  readValue(reading, '', shape);
  return reading.isTooDeep ? [{ at: wholeBody, text: tooDeepText }] : faults;
}

interface Reading {
  readonly text: string;
  index: number;
  readonly faults: Fault[];
  depth: number;
  isTooDeep: boolean;
}

function readValue(reading: Reading, at: string, shape: Shape | undefined): void {
  skipSpace(reading);
  const first = reading.text[reading.index];
  if (first === '{' || first === '[') readNested(reading, at, shape);
  else if (first === '"') checkCharacters(reading, readString(reading), at);
  else readScalar(reading, at, shape);
}

function readNested(reading: Reading, at: string, shape: Shape | undefined): void {
  if (reading.depth === limits.requestBodyDepth) {
    reading.isTooDeep = true;
    skipValue(reading);
    return;
  }
  reading.depth += 1;
  if (reading.text[reading.index] === '{') readObject(reading, at, shape);
  else readArray(reading, at, shape);
  reading.depth -= 1;
}

function readObject(reading: Reading, at: string, shape: Shape | undefined): void {
  const declared = membersOf(shape);
  const times = new Map<string, number>();
  reading.index += 1;
  while (nextIs(reading, '"')) {
    const key = readString(reading);
    const member = join(at, key);
    if (declared !== undefined && !Object.hasOwn(declared, key)) {
      skipSpace(reading);
      reading.index += 1; // the colon
      skipValue(reading);
      if (nextIs(reading, ',')) reading.index += 1;
      continue;
    }
    checkCharacters(reading, key, member);
    const time = (times.get(key) ?? 0) + 1;
    if (time === 2) addFault(reading, member, 'Field given more than once');
    times.set(key, time);
    skipSpace(reading);
    reading.index += 1; // the colon
    readValue(reading, member, declared?.[key]);
    if (nextIs(reading, ',')) reading.index += 1;
  }
  reading.index += 1;
}

function readArray(reading: Reading, at: string, shape: Shape | undefined): void {
  reading.index += 1;
  for (let item = 0; !nextIs(reading, ']'); item += 1) {
    readValue(reading, join(at, item.toString()), shape?.items);
    if (nextIs(reading, ',')) reading.index += 1;
  }
  reading.index += 1;
}

/** Passes over a value, however deep it is. */
function skipValue(reading: Reading): void {
  skipSpace(reading);
  let open = 0;
  do {
    const character = reading.text[reading.index];
    if (character === '"') {
      reading.index = endOfString(reading.text, reading.index) + 1;
    } else if (character === '{' || character === '[') {
      open += 1;
      reading.index += 1;
    } else if (character === '}' || character === ']') {
      open -= 1;
      reading.index += 1;
    } else if (open > 0) {
      reading.index += 1;
    } else {
      while (reading.index < reading.text.length && !endsScalar(reading)) reading.index += 1;
    }
  } while (open > 0);
}

function readString(reading: Reading): string {
  const start = reading.index;
  const end = endOfString(reading.text, start);
  reading.index = end + 1;
  const inside = reading.text.slice(start + 1, end);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

function readScalar(reading: Reading, at: string, shape: Shape | undefined): void {
  const start = reading.index;
  while (reading.index < reading.text.length && !endsScalar(reading)) reading.index += 1;
  const value = Number(reading.text.slice(start, reading.index));
  // Not a number: true, false or null.
  if (Number.isNaN(value) || isKeptExactly(value)) return;
  // Where a number is asked for, such as an amount, a string is refused too.
  const isNumberAsked = shape?.type === 'number' || shape?.type === 'integer';
  const advice = isNumberAsked ? '' : '; send it as a string';
  addFault(reading, at, `Number is too large to be kept exactly${advice}`);
}

function endsScalar({ text, index }: Reading): boolean {
  const code = text.charCodeAt(index);
  return code === comma || code === closeBracket || code === closeBrace || isSpace(code);
}

function checkCharacters(reading: Reading, value: string, at: string): void {
  if (value.includes('\0')) addFault(reading, at, 'String should not contain NUL characters');
  if (!value.isWellFormed()) addFault(reading, at, 'String should not contain lone surrogates');
}

function addFault(reading: Reading, at: string, text: string): void {
  reading.faults.push({ at: at === '' ? wholeBody : at, text });
}

function join(at: string, name: string): string {
  return (at === '' ? name : `${at}.${name}`).slice(0, locationLength);
}

function nextIs(reading: Reading, character: string): boolean {
  skipSpace(reading);
  return reading.text[reading.index] === character;
}

function skipSpace(reading: Reading): void {
  while (isSpace(reading.text.charCodeAt(reading.index))) reading.index += 1;
}

const comma = 0x2c;
const closeBracket = 0x5d;
const closeBrace = 0x7d;

function isSpace(code: number): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
