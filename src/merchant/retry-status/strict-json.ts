import { limits } from '../../domain/limits.ts';
import type { Json } from '../../domain/payment.ts';

export type JsonReading =
  | { readonly kind: 'json'; readonly value: Json }
  | { readonly kind: 'fault'; readonly fault: string };

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * JSON that can mean one thing only: UTF-8, no key twice in an object (readers differ in which one
 * counts), no `__proto__`, no text that a database refuses (NUL, half a surrogate pair), nesting up
 * to limits.requestBodyDepth. A fault is a few words and never quotes the bytes.
 */
export function readStrictJson(bytes: Uint8Array): JsonReading {
  let text: string;
  try {
    text = utf8.decode(bytes);
  } catch {
    return { kind: 'fault', fault: 'it is not UTF-8' };
  }
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'fault', fault: 'it is not JSON' };
  }
  const fault = faultOf(text);
  return fault === undefined ? { kind: 'json', value } : { kind: 'fault', fault };
}

/** Scans the tokens of a text that is known to be JSON. */
function faultOf(text: string): string | undefined {
  // One entry for each open bracket: the keys seen in an object, undefined for an array.
  const open: (Set<string> | undefined)[] = [];
  let expectsKey = false;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index];
    if (character === '{' || character === '[') {
      open.push(character === '{' ? new Set() : undefined);
      expectsKey = character === '{';
      if (open.length > limits.requestBodyDepth) return 'it is nested too deeply';
    } else if (character === '}' || character === ']') {
      open.pop();
    } else if (character === ',') {
      expectsKey = open.at(-1) !== undefined;
    } else if (character === '"') {
      const end = endOfString(text, index);
      const string: string = JSON.parse(text.slice(index, end));
      if (string.includes('\0') || !string.isWellFormed())
        return 'a text in it is not Unicode text';
      if (expectsKey && !addKey(open.at(-1), string)) return 'a key stands twice or is not allowed';
      expectsKey = false;
      index = end - 1;
    }
  }
  return undefined;
}

function endOfString(text: string, start: number): number {
  let index = start + 1;
  while (text[index] !== '"') index += text[index] === '\\' ? 2 : 1;
  return index + 1;
}

function addKey(keys: Set<string> | undefined, key: string): boolean {
  if (keys === undefined || keys.has(key) || key === '__proto__') return false;
  keys.add(key);
  return true;
}
