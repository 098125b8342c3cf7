import { Type } from 'typebox';
import type { JsonObject } from '../../domain/payment.ts';

/** A JSON object in an answer whose members are not ours to name; all of them are written. */
export function freeObject(description: string) {
  return Type.Unsafe<JsonObject>({ type: 'object', additionalProperties: true, description });
}
