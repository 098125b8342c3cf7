import { type Fault, wholeBody } from './fault.ts';
import { endOfString, isKeptExactly } from './json-text.ts';

/** Longest location that is named, so that a key of 60 kB is not copied for each fault in it. */
const locationLength = 255;

/**
 * Every member given twice, and every character or number that cannot be kept, with its location
 * and in the order of the text. The text is valid JSON whose depth has been limited.
 */
export function findJsonFaults(text: string): readonly Fault[] {
  const faults: Fault[] = [];
  readValue({ text, index: 0, faults }, '');
  return faults;
}

interface Reading {
  readonly text: string;
  index: number;
  readonly faults: Fault[];
}

function readValue(reading: Reading, at: string): void {
  skipSpace(reading);
  const first = reading.text[reading.index];
  if (first === '{') readObject(reading, at);
  else if (first === '[') readArray(reading, at);
  else if (first === '"') checkCharacters(reading, readString(reading), at);
  else readScalar(reading, at);
}

function readObject(reading: Reading, at: string): void {
  const times = new Map<string, number>();
  reading.index += 1;
  while (nextIs(reading, '"')) {
    const key = readString(reading);
    const member = join(at, key);
    checkCharacters(reading, key, member);
    const time = (times.get(key) ?? 0) + 1;
    if (time === 2) addFault(reading, member, 'Field given more than once');
    times.set(key, time);
    skipSpace(reading);
    reading.index += 1; // the colon
    readValue(reading, member);
    if (nextIs(reading, ',')) reading.index += 1;
  }
  reading.index += 1;
}

function readArray(reading: Reading, at: string): void {
  reading.index += 1;
  for (let item = 0; !nextIs(reading, ']'); item += 1) {
    readValue(reading, join(at, item.toString()));
    if (nextIs(reading, ',')) reading.index += 1;
  }
  reading.index += 1;
}

function readString(reading: Reading): string {
  const start = reading.index;
  const end = endOfString(reading.text, start);
  reading.index = end + 1;
  const inside = reading.text.slice(start + 1, end);
  return inside.includes('\\') ? (JSON.parse(`"${inside}"`) as string) : inside;
}

function readScalar(reading: Reading, at: string): void {
  const start = reading.index;
  while (reading.index < reading.text.length && !endsScalar(reading)) reading.index += 1;
  const value = Number(reading.text.slice(start, reading.index));
  // Not a number: true, false or null.
  if (Number.isNaN(value) || isKeptExactly(value)) return;
  addFault(reading, at, 'Number is too large to be kept exactly; send it as a string');
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
