import type { IncomingHttpHeaders } from 'node:http';
import { isObject } from '../domain/json/is-object.ts';
import { limits } from '../domain/limits.ts';

/** An object as a PSP sent it: nothing about its fields is certain. */
export type Fields = Readonly<Record<string, unknown>>;

/** The object itself; undefined for any other JSON value. */
export function fieldsOf(value: unknown): Fields | undefined {
  return isObject(value) ? value : undefined;
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

/** The objects of a list; one that is none is empty. */
export function listOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.map((item) => fieldsOf(item) ?? {}) : [];
}

/** A time in any form that JavaScript reads. */
export function timeOf(value: unknown): Date | undefined {
  const at = new Date(textOf(value) ?? Number.NaN);
  return Number.isNaN(at.getTime()) ? undefined : at;
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
