import { type ApiTypes, apiTypes, importTexts, itemName, partName } from './api-types.ts';
import type { Operation } from './operations-of.ts';
import { docText } from './schema-type.ts';

const imports = [
  "import type { CallOptions } from '../call-options.ts';\n",
  "import type { OperationTable } from '../operation.ts';\n",
];

/** A file of source text. `path` is from the folder that all files of a client are in. */
export interface SourceText {
  readonly path: string;
  readonly text: string;
}

/**
 * The SDK's part of one API, written from its OpenAPI document: for each tag a file with the types of
 * what is asked and answered, and a file with an interface that has a method for each operation, and
 * the table that the client runs by.
 */
export function renderSdkClient(
  api: 'recovery' | 'disputes',
  document: object,
): readonly SourceText[] {
  const banner = `// Generated from openapi/${api}.json by npm run generate; do not edit.`;
  const types = apiTypes(document, banner);
  return [
    { path: `${api}.ts`, text: `${banner}\n${operationsText(api, types)}` },
    ...types.files.map(({ name, text }) => ({ path: `${api}/${name}.ts`, text })),
  ];
}

function operationsText(api: 'recovery' | 'disputes', { operations, files }: ApiTypes): string {
  const called = operations.filter(({ form }) => form !== 'lines');
  const title = api === 'recovery' ? 'Recovery' : 'Disputes';
  const used = new Set(called.flatMap((operation) => namesIn(operation)));
  const exported = files.map(({ name }) => `export type * from './${api}/${name}.ts';\n`);
  return `${[...imports, ...importTexts(files, used, `./${api}`)].join('')}
${exported.join('')}
/** Every operation of the ${api} API. */
export interface ${title}Operations {
${called.map((operation) => methodText(operation)).join('\n')}}

export const ${api}Operations = {
${called.map((operation) => rowText(operation)).join('')}} satisfies OperationTable;
`;
}

function namesIn(operation: Operation): readonly string[] {
  const parts = (['Body', 'Query', 'Answer'] as const).map((part) => partName(operation, part));
  return operation.pagedField === undefined ? parts : [...parts, itemName(operation)];
}

function methodText(operation: Operation): string {
  const { name, words, form, pagedField } = operation;
  const gives = {
    json: partName(operation, 'Answer'),
    lines: 'never',
    bytes: 'ArrayBuffer',
    nothing: 'void',
  };
  const single = `  ${name}(${parameters(operation)}): Promise<${gives[form]}>;\n`;
  const text = docText(words, '  ') + single;
  if (pagedField === undefined) return text;
  const items = `AsyncGenerator<${itemName(operation)}>`;
  const pages = `  ${iteratorName(name)}(${parameters(operation)}): ${items};\n`;
  return `${text}\n${docText(`Every item of \`${name}\`, page after page.`, '  ')}${pages}`;
}

/** The path's parameters, the body, the query, the options: each where the operation has it. */
function parameters(operation: Operation): string {
  const { pathNames, body, query } = operation;
  const isQueryRequired = (query?.required ?? []).length > 0;
  return [
    ...pathNames.map((name) => `${camelCase(name)}: string`),
    ...(body === undefined
      ? []
      : [
          `body${body.isRequired ? '' : '?'}: ${body.isFile ? 'Uint8Array' : partName(operation, 'Body')}`,
        ]),
    ...(query === undefined
      ? []
      : [`query${isQueryRequired ? '' : '?'}: ${partName(operation, 'Query')}`]),
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
  const fileEntry = body?.isFile === true ? ['isFile: true'] : [];
  const row = (own: readonly string[]): string =>
    `{ ${[...entries, ...fileEntry, ...own].join(', ')} },\n`;
  const single = `  ${name}: ${row([])}`;
  if (pagedField === undefined) return single;
  return `${single}  ${iteratorName(name)}: ${row([`pages: '${pagedField}'`])}`;
}

function iteratorName(name: string): string {
  return name.replace(/^list/, 'iterate');
}

function camelCase(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}
