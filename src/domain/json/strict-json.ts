import { limits } from '../limits.ts';
import type { Json } from '../payment.ts';
import { type Fault, fieldRequired, wholeBody } from './fault.ts';
import { findJsonFaults } from './find-json-faults.ts';
import { endOfString, isKeptExactly } from './json-text.ts';
import type { Shape } from './shape.ts';

/** What a body holds, or everything that keeps it from being read as one JSON value. */
export type StrictJson =
  | { readonly kind: 'value'; readonly value: Json }
  | { readonly kind: 'faults'; readonly faults: readonly Fault[] };

/**
 * Reads a body as I-JSON (RFC 7493): UTF-8 without a byte order mark, no member twice in an object,
 * no lone surrogate, no integer beyond 2^53 - 1; and no NUL character, since PostgreSQL keeps none.
 * Nesting is limited to `limits.requestBodyDepth`. What a shape does not declare may hold anything.
 */
export function readStrictJson(bytes: Uint8Array, shape?: Shape): StrictJson {
  if (bytes.length === 0) return refused(fieldRequired);
  const text = decoded(bytes);
  if (text === undefined) return refused('Input should be valid UTF-8');
  let value: Json;
  try {
    value = JSON.parse(text) as Json;
  } catch {
    return refused('Input should be valid JSON');
  }
  const members = membersInText(text);
  // A member given twice stands twice in the text and once in the value. Only then, or where an
  // escape or a number may be at fault, is the text read again, to say what is wrong and where.
  const isPlain = members !== tooDeep && members === membersInValue(value);
  if (isPlain && !hasDoubtfulEscape(text)) return { kind: 'value', value };
  const faults = findJsonFaults(text, shape);
  return faults.length === 0 ? { kind: 'value', value } : { kind: 'faults', faults };
}

/** A byte order mark stays, and is no JSON. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

function refused(text: string): StrictJson {
  return { kind: 'faults', faults: [{ at: wholeBody, text }] };
}

/**
 * Whether an escape may be of a NUL or of a lone surrogate; unescaped, neither gets this far. Pairs
 * of surrogates are common, since some writers escape every emoji, and pass here. A backslash before
 * an escape may be one that is itself escaped, and is left to the slow reading.
 */
function hasDoubtfulEscape(text: string): boolean {
  return text.includes('\\u') && doubtfulEscape.test(text);
}

const high = '\\\\u[dD][89abAB][0-9a-fA-F]{2}';
const low = '\\\\u[dD][c-fC-F]';
const doubtfulEscape = new RegExp(
  `\\\\u0000|\\\\\\\\u[dD][89a-fA-F]|${high}(?!${low})|(?<!${high})${low}`,
);

const tooDeep = -1;
const quote = 0x22;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/**
 * How many members the objects of a valid JSON text have in all, or `tooDeep`; NaN where a name has an
 * escape: V8 (Node 26.10) now and then reads the name `\"` as `\`, so that of two equal ones each stands.
 */
function membersInText(text: string): number {
  const hasEscape = text.includes('\\');
  let members = 0;
  let depth = 0;
  let name = '';
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (code === quote) {
      const end = endOfString(text, index);
      if (hasEscape) name = text.slice(index, end);
      index = end;
    } else if (code === colon) {
      members += name.includes('\\') ? Number.NaN : 1;
    } else if (code === openBrace || code === openBracket) {
      depth += 1;
      if (depth > limits.requestBodyDepth) return tooDeep;
    } else if (code === closeBrace || code === closeBracket) {
      depth -= 1;
    }
  }
  return members;
}

/** How many members the objects of a value have in all; NaN where a number is not kept exactly. */
function membersInValue(value: Json): number {
  if (typeof value === 'number') return isKeptExactly(value) ? 0 : Number.NaN;
  if (typeof value !== 'object' || value === null) return 0;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value as readonly Json[]) members += membersInValue(item);
    return members;
  }
  const object = value as Readonly<Record<string, Json>>;
  for (const key in object) members += 1 + membersInValue(object[key] as Json);
  return members;
}
