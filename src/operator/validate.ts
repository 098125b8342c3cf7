import { Ajv, type ErrorObject, type Options } from 'ajv';
import type { TSchema } from 'typebox';
import { guardCards } from '../domain/cards/guard-cards.ts';
import { type Fault, fieldRequired, wholeBody } from '../domain/json/fault.ts';
import { dropNulls, type Shape } from '../domain/json/shape.ts';
import { ownKeywords } from '../http/check-schema.ts';
import { isRfc3339 } from '../http/rfc3339.ts';
import { schemaFault } from '../http/schema-fault.ts';

const options: Options = {
  allErrors: true,
  verbose: true,
  discriminator: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  formats: { 'date-time': isRfc3339 },
  keywords: [...ownKeywords],
};
const forBodies = new Ajv(options);
/** Parts of a URL are texts, so a number has to be read from one. */
const forUrls = new Ajv({ ...options, coerceTypes: true });

/**
 * Compiles the check of a part of a request. Unlike in the merchants' APIs, a field that nothing
 * declares is a fault: an operator's slip must not pass for a setting.
 */
export function compilePart(
  schema: TSchema,
  of: 'body' | 'url',
): (value: unknown) => readonly Fault[] {
  const shape = schema as Shape;
  const validate = (of === 'body' ? forBodies : forUrls).compile(schema);
  return (value) => {
    if (value === null) return [{ at: wholeBody, text: fieldRequired }];
    if (of === 'body') dropNulls(shape, value);
    const faults = validate(value) ? [] : (validate.errors ?? []).flatMap(faultsOf);
    return [...faults, ...guardCards(shape, value)];
  };
}

function faultsOf(error: ErrorObject): readonly Fault[] {
  if (error.keyword === 'additionalProperties') {
    const path = `${error.instancePath}/${String(error.params.additionalProperty)}`;
    return [{ at: path.slice(1).replaceAll('/', '.'), text: 'There is no such field' }];
  }
  const fault = schemaFault(error);
  return fault === undefined ? [] : [fault];
}
