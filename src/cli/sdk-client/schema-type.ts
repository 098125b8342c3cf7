/** The part of JSON Schema that the OpenAPI documents use. */
export interface Schema {
  /** The field's word for the shape: its type is written once, under this name. */
  readonly title?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly enum?: readonly (string | number | boolean | null)[];
  readonly const?: string | number | boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly additionalProperties?: boolean | Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly $ref?: string;
}

const plainTypes: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null',
};

/** Which shapes have names where a type is written. */
export interface TypeScope {
  /** What a shape is referred to by. */
  nameOf(schema: Schema): string | undefined;
  /** The named shape all of whose fields an object has beside its own. */
  baseOf(schema: Schema): { readonly name: string; readonly own: Schema } | undefined;
}

/** Everything in its place, and nothing by name. */
export const inPlace: TypeScope = { nameOf: () => undefined, baseOf: () => undefined };

/**
 * The TypeScript type of a schema's values, as text. What types cannot say (lengths, formats, which
 * of several fields there must be) stays with the service. Throws where a schema is of a kind that
 * has no rule here, so that no type is ever a guess.
 */
export function typeOfSchema(schema: Schema, scope = inPlace, indent = ''): string {
  return scope.nameOf(schema) ?? definitionOf(schema, scope, indent);
}

/** The type of a schema, written out even where the schema itself has a name. */
export function definitionOf(schema: Schema, scope: TypeScope, indent = ''): string {
  if (schema.$ref !== undefined) throw new Error(`Nothing resolves ${schema.$ref}.`);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => literal(value)));
  const { allOf, type } = schema;
  if (allOf !== undefined)
    return allOf.map((part) => typeOfSchema(part, scope, indent)).join(' & ');
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter((choice) => !isCondition(choice));
  if (choices.length > 0)
    return unionOf(choices.map((choice) => typeOfSchema(choice, scope, indent)));
  if (typeof type === 'string') return typeOfKind(type, schema, scope, indent);
  if (type === undefined) return 'unknown';
  return unionOf(type.map((kind) => typeOfKind(kind, schema, scope, indent)));
}

/** A choice that names fields only, and says nothing of their types. */
function isCondition({ type, properties, enum: words, $ref, ...rest }: Schema): boolean {
  return [type, properties, words, $ref, rest.const, rest.anyOf, rest.oneOf, rest.allOf].every(
    (part) => part === undefined,
  );
}

function typeOfKind(kind: string, schema: Schema, scope: TypeScope, indent: string): string {
  const plain = plainTypes[kind];
  if (plain !== undefined) return plain;
  const { items, properties, additionalProperties: others } = schema;
  if (kind === 'array') {
    const item = items === undefined ? 'unknown' : typeOfSchema(items, scope, indent);
    return `readonly ${inBrackets(item)}[]`;
  }
  if (kind !== 'object') throw new Error(`No rule for a schema of type ${kind}.`);
  if (properties !== undefined) return objectType(schema, scope, indent);
  return recordType(others, scope, indent);
}

function recordType(
  others: Schema['additionalProperties'],
  scope: TypeScope,
  indent: string,
): string {
  const value = typeof others === 'object' ? typeOfSchema(others, scope, indent) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

function inBrackets(type: string): string {
  return /^[\w<>]+$/.test(type) || /^\{[^{}]*\}$/s.test(type) ? type : `(${type})`;
}

function objectType(schema: Schema, scope: TypeScope, indent: string): string {
  const { additionalProperties: others } = schema;
  const base = scope.baseOf(schema);
  const fields = fieldTexts(base?.own ?? schema, scope, `${indent}  `);
  return [
    ...(base === undefined ? [] : [base.name]),
    `{\n${fields.join('')}${indent}}`,
    ...(others === true || typeof others === 'object' ? [recordType(others, scope, indent)] : []),
  ].join(' & ');
}

/** Each field of an object with its words, as a type has them. */
export function fieldTexts(
  { properties = {}, required = [] }: Schema,
  scope: TypeScope,
  indent: string,
): readonly string[] {
  return Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const type = typeOfSchema(schema, scope, indent);
    return `${docText(schema.description, indent)}${indent}readonly ${key}${mark}: ${type};\n`;
  });
}

/** A doc comment of some words, or nothing for no words. */
export function docText(words: string | undefined, indent: string): string {
  if (words === undefined) return '';
  const lines = words.replaceAll('*/', '* /').split('\n');
  if (lines.length === 1) return `${indent}/** ${lines[0]} */\n`;
  const rows = lines.map((line) => `${indent} * ${line}`.trimEnd());
  return `${indent}/**\n${rows.join('\n')}\n${indent} */\n`;
}

function unionOf(types: readonly string[]): string {
  return [...new Set(types)].join(' | ');
}

function literal(value: string | number | boolean | null): string {
  return typeof value === 'string' ? `'${value.replaceAll(/['\\]/g, '\\$&')}'` : String(value);
}
