import { Ajv, type ErrorObject, type Options } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';
import type { TSchema } from 'typebox';
import { type Fault, fieldRequired, wholeBody } from '../../domain/json/fault.ts';
import { isRfc3339 } from '../rfc3339.ts';
import { schemaFault } from '../schema-fault.ts';
import { InvalidRequest } from './invalid-request.ts';

const options: Options = {
  allErrors: true,
  verbose: true,
  discriminator: true,
  useDefaults: true,
  strict: true,
  strictTypes: false,
  formats: { 'date-time': isRfc3339 },
  keywords: ['x-fault', 'x-optional'],
};
const forBodies = new Ajv(options);
/** Parts of a URL are texts, so a number has to be read from one. */
const forUrls = new Ajv({ ...options, coerceTypes: true });

/**
 * Checks the parts of a request by their routes' schemas. Unlike the merchants' API, a field that
 * nothing declares is a fault: an operator's slip must not pass for a setting.
 */
export const validatorCompiler: FastifySchemaCompiler<TSchema> = ({ schema, httpPart }) => {
  const validate = (httpPart === 'body' ? forBodies : forUrls).compile(schema);
  return (value: unknown) => {
    // The framework gives null for a body that is not there.
    if (httpPart === 'body' && value === null) {
      return { error: new InvalidRequest([{ at: wholeBody, text: fieldRequired }]) };
    }
    if (validate(value)) return true;
    return { error: new InvalidRequest((validate.errors ?? []).flatMap(faultsOf)) };
  };
};

function faultsOf(error: ErrorObject): readonly Fault[] {
  if (error.keyword === 'additionalProperties') {
    const path = `${error.instancePath}/${String(error.params.additionalProperty)}`;
    return [{ at: path.slice(1).replaceAll('/', '.'), text: 'There is no such field' }];
  }
  const fault = schemaFault(error);
  return fault === undefined ? [] : [fault];
}
