/** The part of JSON Schema that the OpenAPI documents use. */
export interface Schema {
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

/**
 * The TypeScript type of a schema's values, as text. What types cannot say (lengths, formats, which
 * of several fields there must be) stays with the service. Throws where a schema is of a kind that
 * has no rule here, so that no type is ever a guess.
 */
export function typeOfSchema(schema: Schema, indent = ''): string {
  if (schema.$ref !== undefined) throw new Error(`Nothing resolves ${schema.$ref}.`);
  if (schema.const !== undefined) return JSON.stringify(schema.const);
  if (schema.enum !== undefined) return unionOf(schema.enum.map((value) => literal(value)));
  const { allOf, type } = schema;
  if (allOf !== undefined) return allOf.map((part) => typeOfSchema(part, indent)).join(' & ');
  const choices = (schema.anyOf ?? schema.oneOf ?? []).filter((choice) => !isCondition(choice));
  if (choices.length > 0) return unionOf(choices.map((choice) => typeOfSchema(choice, indent)));
  if (typeof type === 'string') return typeOfKind(type, schema, indent);
  if (type === undefined) return 'unknown';
  return unionOf(type.map((kind) => typeOfKind(kind, schema, indent)));
}

/** A choice that names fields only, and says nothing of their types. */
function isCondition({ type, properties, enum: words, $ref, ...rest }: Schema): boolean {
  return [type, properties, words, $ref, rest.const, rest.anyOf, rest.oneOf, rest.allOf].every(
    (part) => part === undefined,
  );
}

function typeOfKind(kind: string, schema: Schema, indent: string): string {
  const plain = plainTypes[kind];
  if (plain !== undefined) return plain;
  if (kind === 'array') return `readonly ${inBrackets(itemType(schema, indent))}[]`;
  if (kind !== 'object') throw new Error(`No rule for a schema of type ${kind}.`);
  const { properties, additionalProperties: others } = schema;
  if (properties !== undefined) return objectType(properties, schema.required ?? [], indent);
  const value = typeof others === 'object' ? typeOfSchema(others, indent) : 'unknown';
  return `Readonly<Record<string, ${value}>>`;
}

function itemType({ items }: Schema, indent: string): string {
  return items === undefined ? 'unknown' : typeOfSchema(items, indent);
}

function inBrackets(type: string): string {
  return /^[\w<>]+$/.test(type) || /^\{[^{}]*\}$/s.test(type) ? type : `(${type})`;
}

function objectType(
  properties: Readonly<Record<string, Schema>>,
  required: readonly string[],
  indent: string,
): string {
  const inner = `${indent}  `;
  const lines = Object.entries(properties).map(([name, schema]) => {
    const mark = required.includes(name) ? '' : '?';
    const key = /^[A-Za-z_]\w*$/.test(name) ? name : literal(name);
    const type = typeOfSchema(schema, inner);
    return `${docText(schema.description, inner)}${inner}readonly ${key}${mark}: ${type};\n`;
  });
  return `{\n${lines.join('')}${indent}}`;
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
