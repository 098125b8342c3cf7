import { Ajv, type ErrorObject, type ValidateFunction } from 'ajv';
import type { TSchema } from 'typebox';
import { guardCards } from '../domain/cards/guard-cards.ts';
import { type Fault, wholeBody } from '../domain/json/fault.ts';
import { dropNulls, type Shape } from '../domain/json/shape.ts';
import { isRfc3339 } from './rfc3339.ts';
import { schemaFault, tooManyItemsText } from './schema-fault.ts';

/**
 * Every fault of a value, in the schema's order of declaration; none means that the value is of the
 * schema's type. Members that the schema does not declare are removed from the value, so that what
 * nobody asked for is never stored; so are nulls in the place of optional ones. Card numbers are
 * faults in ids, and masked in the value elsewhere.
 */
export type SchemaCheck<Context> = (value: unknown, context: Context) => readonly Fault[];

/** What a schema cannot say, such as a rule over two fields. It gets the value as it came. */
export type Rules<Context> = (value: unknown, context: Context) => readonly Fault[];

/** Our own marks in schemas: the text of a fault, and what `Shape` says of fields. */
export const ownKeywords = ['x-fault', 'x-id', 'x-verbatim'] as const;

const ajv = new Ajv({
  allErrors: true,
  verbose: true,
  removeAdditional: 'all',
  strict: true,
  allowUnionTypes: true,
  // Schemas are code: what is wrong in one shows in the tests, and checking costs 0.1 s at start.
  validateSchema: false,
  meta: false,
  formats: { 'date-time': isRfc3339 },
  keywords: [...ownKeywords],
});

const noRules = (): readonly Fault[] => [];

/** The check of a schema and the rules that go with it. The first value waits until it is compiled: a start does not. */
export function compileSchema<Context = void>(
  schema: TSchema,
  rules: Rules<Context> = noRules,
): SchemaCheck<Context> {
  let validate: ValidateFunction | undefined;
  const shape = schema as Shape;
  const lists = limitedLists(schema as SchemaNode);
  return (value, context) => {
    dropNulls(shape, value);
    const cut = lists.length === 0 ? [] : cutLists(lists, value);
    validate ??= ajv.compile(schema);
    const isValid = validate(value);
    const broken = [...rules(value, context), ...guardCards(shape, value)];
    if (isValid && broken.length === 0 && cut.length === 0) return broken;
    const errors: readonly ErrorObject[] = isValid ? [] : (validate.errors ?? []);
    const found = errors.map(schemaFault).filter((fault) => fault !== undefined);
    return inOrder(schema, [...cut, ...found, ...broken]);
  };
}

interface LimitedList {
  readonly name: string;
  readonly maxItems: number;
}

function limitedLists(schema: SchemaNode): readonly LimitedList[] {
  return Object.entries(schema.properties ?? {}).flatMap(([name, { maxItems }]) =>
    maxItems === undefined ? [] : [{ name, maxItems }],
  );
}

/**
 * Cuts lists that are longer than allowed, and reports them. Else a body of 64 KiB could hold
 * 30,000 faulty items, and naming the faults of each took 50 ms of everybody's time.
 */
function cutLists(lists: readonly LimitedList[], value: unknown): readonly Fault[] {
  if (typeof value !== 'object' || value === null) return [];
  const fields = value as Record<string, unknown>;
  const faults: Fault[] = [];
  for (const { name, maxItems } of lists) {
    const list = fields[name];
    if (!Array.isArray(list) || list.length <= maxItems) continue;
    fields[name] = list.slice(0, maxItems);
    faults.push({ at: name, text: tooManyItemsText(maxItems) });
  }
  return faults;
}

/** Sorts faults by where the schema declares their fields; items of a list by their index. */
function inOrder(schema: TSchema, faults: readonly Fault[]): readonly Fault[] {
  const placed = faults.map((fault) => ({ fault, place: placeOf(schema, fault.at) }));
  placed.sort((a, b) => compare(a.place, b.place));
  return placed.map(({ fault }) => fault);
}

interface SchemaNode {
  readonly maxItems?: number;
  readonly properties?: Readonly<Record<string, SchemaNode>>;
  readonly items?: SchemaNode;
}

function placeOf(schema: TSchema, at: string): readonly number[] {
  if (at === wholeBody) return [];
  let node: SchemaNode | undefined = schema as SchemaNode;
  return at.split('.').map((name) => {
    const place = node?.items === undefined ? declaredAt(node, name) : Number(name);
    node = node?.items ?? node?.properties?.[name];
    return place;
  });
}

function declaredAt(node: SchemaNode | undefined, name: string): number {
  return Object.keys(node?.properties ?? {}).indexOf(name);
}

function compare(a: readonly number[], b: readonly number[]): number {
  for (const [index, place] of a.entries()) {
    const difference = place - (b[index] ?? -1);
    if (difference !== 0) return difference;
  }
  return a.length - b.length;
}
