import type { IncomingHttpHeaders } from 'node:http';
import { limits } from '../domain/limits.ts';

/** An object as a PSP sent it: nothing about its fields is certain. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object itself; undefined for any other JSON value. */
export function fieldsOf(value: unknown): Fields | undefined {
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
  return isObject ? (value as Fields) : undefined;
}

/** The JSON object that a text holds; undefined where it holds anything else. */
export function parsedFields(text: string): Fields | undefined {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return undefined;
  }
}

/** A text that is not empty. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** A text that can be an id of ours: 1 to `limits.idLength` characters. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && text.length <= limits.idLength ? text : undefined;
}

/** A code that may stand in a reason of ours: short, and made of nothing but a code's letters. */
export function codeOf(value: unknown): string | undefined {
  return typeof value === 'string' && /^[\w.-]{1,64}$/.test(value) ? value : undefined;
}

/** Retry-After in seconds; a date is not read, since the PSP's clock is not ours. */
export function retryAfterMs(headers: IncomingHttpHeaders): number | undefined {
  const value = headers['retry-after'];
  return value !== undefined && /^\d{1,6}$/.test(value) ? Number(value) * 1000 : undefined;
}
