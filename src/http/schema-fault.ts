import type { ErrorObject } from 'ajv';
import { type Fault, fieldRequired, wholeBody } from '../domain/json/fault.ts';

/**
 * One finding of the schema check in the API's words. A schema's own `x-fault` says in words what
 * its pattern or format or list of values asks for. Undefined for a finding that another one says
 * better.
 */
export function schemaFault(error: ErrorObject): Fault | undefined {
  const schema = error.parentSchema as SchemaLimits | undefined;
  const at = locationOf(error.instancePath);
  if (error.keyword === 'required') {
    const field = String(error.params.missingProperty);
    return { at: at === '' ? field : `${at}.${field}`, text: fieldRequired };
  }
  // A value of another type is not one of the listed ones either: one fault, not two.
  if (error.keyword === 'type' && schema?.enum !== undefined) return undefined;
  return { at: at === '' ? wholeBody : at, text: textOf(error, schema) };
}

interface SchemaLimits {
  readonly enum?: readonly unknown[];
  readonly properties?: Readonly<Record<string, unknown>>;
  readonly 'x-fault'?: string;
}

function textOf(error: ErrorObject, schema: SchemaLimits | undefined): string {
  const limit = Number(error.params.limit);
  switch (error.keyword) {
    case 'type':
      return `Input should be a valid ${typeText(error.params.type)}`;
    case 'minLength':
      return `String should have at least ${counted(limit, 'character')}`;
    case 'maxLength':
      return `String should have at most ${counted(limit, 'character')}`;
    case 'minItems':
      return `List should have at least ${counted(limit, 'item')}`;
    case 'maxItems':
      return tooManyItemsText(limit);
    case 'minProperties':
      return `Input should have ${limit} or more of ${listed(Object.keys(schema?.properties ?? {}), 'and')}`;
    case 'minimum':
      return `Input should be greater than or equal to ${limit}`;
    case 'maximum':
      return `Input should be less than or equal to ${limit}`;
    case 'enum':
      return schema?.['x-fault'] ?? oneOfText(error.params.allowedValues as readonly string[]);
    default:
      return schema?.['x-fault'] ?? 'Input is not valid';
  }
}

export function tooManyItemsText(maxItems: number): string {
  return `List should have at most ${counted(maxItems, 'item')}`;
}

/** `Input should be 'a', 'b' or 'c'`. */
export function oneOfText(values: readonly string[]): string {
  return `Input should be ${listed(values, 'or')}`;
}

function listed(values: readonly string[], word: 'and' | 'or'): string {
  const quoted = values.map((value) => `'${value}'`);
  const last = quoted.pop() ?? '';
  return quoted.length === 0 ? last : `${quoted.join(', ')} ${word} ${last}`;
}

function typeText(type: unknown): string {
  return Array.isArray(type) ? type.join(' or ') : String(type).replaceAll(',', ' or ');
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function locationOf(instancePath: string): string {
  return instancePath.slice(1).replaceAll('/', '.').replaceAll('~1', '/').replaceAll('~0', '~');
}
