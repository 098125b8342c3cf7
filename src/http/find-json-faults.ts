import { type Fault, wholeBody } from './fault.ts';
import { endOfString, isKeptExactly } from './json-text.ts';

/** Longest location that is named, so that a key of 60 kB is not sent back for each fault. */
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
    const member = at === '' ? key : `${at}.${key}`;
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
    readValue(reading, at === '' ? item.toString() : `${at}.${item}`);
    if (nextIs(reading, ',')) reading.index += 1;
  }
  reading.index += 1;
}

function readString(reading: Reading): string {
  const end = endOfString(reading.text, reading.index);
  const literal = reading.text.slice(reading.index, end + 1);
  reading.index = end + 1;
  return JSON.parse(literal) as string;
}

const scalar = /[^\s,\]}]+/y;

function readScalar(reading: Reading, at: string): void {
  scalar.lastIndex = reading.index;
  const literal = scalar.exec(reading.text)?.[0] ?? '';
  reading.index += literal.length;
  const value = JSON.parse(literal) as unknown;
  if (typeof value === 'number' && !isKeptExactly(value)) {
    addFault(reading, at, 'Number is too large to be kept exactly; send it as a string');
  }
}

function checkCharacters(reading: Reading, value: string, at: string): void {
  if (value.includes('\0')) addFault(reading, at, 'String should not contain NUL characters');
  if (!value.isWellFormed()) addFault(reading, at, 'String should not contain lone surrogates');
}

function addFault(reading: Reading, at: string, text: string): void {
  reading.faults.push({ at: at === '' ? wholeBody : at.slice(0, locationLength), text });
}

function nextIs(reading: Reading, character: string): boolean {
  skipSpace(reading);
  return reading.text[reading.index] === character;
}

const space = /[ \t\n\r]*/y;

function skipSpace(reading: Reading): void {
  space.lastIndex = reading.index;
  space.exec(reading.text);
  reading.index = space.lastIndex;
}
