import { type Operation, operationsOf } from './operations-of.ts';
import { docText, typeOfSchema } from './schema-type.ts';

const imports = [
  "import type { CallOptions } from '../call-options.ts';",
  "import type { OperationTable } from '../operation.ts';",
];

/**
 * The SDK's part of one API, written from its OpenAPI document: a type for each body, query and
 * answer, an interface with a method for each operation, and the table that the client runs by.
 */
export function renderSdkClient(api: 'recovery' | 'disputes', document: object): string {
  const operations = operationsOf(document);
  const called = operations.filter(({ form }) => form !== 'lines');
  const title = api === 'recovery' ? 'Recovery' : 'Disputes';
  const methods = called.map((operation) => methodText(operation)).join('\n');
  return `// Generated from openapi/${api}.json by npm run generate; do not edit.
${imports.join('\n')}

${operations.map((operation) => typesText(operation)).join('')}/** Every operation of the ${api} API. */
export interface ${title}Operations {
${methods}}

export const ${api}Operations = {
${called.map((operation) => rowText(operation)).join('')}} satisfies OperationTable;
`;
}

function typesText(operation: Operation): string {
  const { query, body, answer, pagedField } = operation;
  const type = typeName(operation);
  const parts = [
    ...(body === undefined ? [] : [`export type ${type}Body = ${typeOfSchema(body.schema)};\n`]),
    ...(query === undefined ? [] : [`export type ${type}Query = ${typeOfSchema(query)};\n`]),
    ...(answer === undefined ? [] : [`export type ${type}Answer = ${typeOfSchema(answer)};\n`]),
    ...(pagedField === undefined
      ? []
      : [`export type ${type}Item = ${type}Answer['${pagedField}'][number];\n`]),
  ];
  return parts.map((part) => `${part}\n`).join('');
}

function methodText(operation: Operation): string {
  const { name, words, form, pagedField } = operation;
  const type = typeName(operation);
  const gives = { json: `${type}Answer`, lines: 'never', bytes: 'ArrayBuffer', nothing: 'void' };
  const single = `  ${name}(${parameters(operation)}): Promise<${gives[form]}>;\n`;
  const text = docText(words, '  ') + single;
  if (pagedField === undefined) return text;
  const pages = `  ${iteratorName(name)}(${parameters(operation)}): AsyncGenerator<${type}Item>;\n`;
  return `${text}\n${docText(`Every item of \`${name}\`, page after page.`, '  ')}${pages}`;
}

/** The path's parameters, the body, the query, the options: each where the operation has it. */
function parameters(operation: Operation): string {
  const { pathNames, body, query } = operation;
  const type = typeName(operation);
  const isQueryRequired = (query?.required ?? []).length > 0;
  return [
    ...pathNames.map((name) => `${camelCase(name)}: string`),
    ...(body === undefined ? [] : [`body${body.isRequired ? '' : '?'}: ${type}Body`]),
    ...(query === undefined ? [] : [`query${isQueryRequired ? '' : '?'}: ${type}Query`]),
    'options?: CallOptions',
  ].join(', ');
}

function rowText(operation: Operation): string {
  const { name, method, path, pathNames, body, query, form, pagedField } = operation;
  const entries = [
    `method: '${method}'`,
    `path: '${path}'`,
    `pathNames: [${pathNames.map((word) => `'${word}'`).join(', ')}]`,
    `hasBody: ${body !== undefined}`,
    `hasQuery: ${query !== undefined}`,
    `hasKey: ${operation.hasIdempotencyKey}`,
    `isRepeatable: ${operation.isRepeatable}`,
    `form: '${form}'`,
  ];
  const row = (own: readonly string[]): string => `{ ${[...entries, ...own].join(', ')} },\n`;
  const single = `  ${name}: ${row([])}`;
  if (pagedField === undefined) return single;
  return `${single}  ${iteratorName(name)}: ${row([`pages: '${pagedField}'`])}`;
}

function iteratorName(name: string): string {
  return name.replace(/^list/, 'iterate');
}

function typeName({ name }: Operation): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
