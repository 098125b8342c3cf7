import { Type } from 'typebox';
import { limits } from '../domain/limits.ts';
import type { JsonObject } from '../domain/payment.ts';
import { present } from '../domain/present.ts';
import { rfc3339Text } from './rfc3339.ts';
import { valueListTitles } from './value-lists.ts';

/** The kinds of fields that the APIs' schemas are made of. `x-fault` is the text of a 400 answer; the other marks are those of `Shape`. */

/** An id of any party, 1 to `limits.idLength` characters. One that holds a card's number is refused. */
export function idField(description: string) {
  return Type.String({ description, minLength: 1, maxLength: limits.idLength, 'x-id': true });
}

/** Free text of at most `maxLength` characters; it may be empty. Card numbers in it are masked. */
export function textField(description: string, maxLength: number = limits.idLength) {
  return Type.String({ description, maxLength });
}

/** An RFC 3339 timestamp. */
export function timeField(description: string) {
  return Type.String({ description, format: 'date-time', 'x-fault': rfc3339Text });
}

/** One of a list of words. What the list itself is called, `word-lists.ts` says. */
export function enumField<const Values extends string[]>(
  values: readonly [...Values],
  description: string,
) {
  const title = valueListTitles.get(values);
  return Type.Enum(values, {
    type: 'string',
    ...present({ title }),
    description,
  });
}

/** Text of a shape; `asked` ends the sentence `Input should be …`. */
export function shapedField(description: string, pattern: string, asked: string) {
  return Type.String({ description, pattern, 'x-fault': `Input should be ${asked}` });
}

/** Any JSON object, passed on as it came. */
export function objectField(description: string) {
  return Type.Unsafe<JsonObject>({ type: 'object', description });
}
