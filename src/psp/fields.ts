import { limits } from '../domain/limits.ts';

/** An object of an answer, before anything of it is believed. */
export type Fields = Readonly<Record<string, unknown>>;

export function fieldsOf(value: unknown): Fields | undefined {
  return typeof value === 'object' && value !== null ? (value as Fields) : undefined;
}

/** A text that says something; PSPs send empty ones for what they do not know. */
export function textOf(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

/** An id as it can be kept. */
export function idOf(value: unknown): string | undefined {
  const text = textOf(value);
  return text !== undefined && text.length <= limits.idLength ? text : undefined;
}
