import { type NamedShape, namedShapes, type PlacedSchema, scopeOf } from './named-shapes.ts';
import { type Operation, operationsOf } from './operations-of.ts';
import { definitionOf, docText, type Schema, typeOfSchema } from './schema-type.ts';

export interface TypeFile {
  /** The tag in lower case, with hyphens. */
  readonly name: string;
  /** What other files may import of it. */
  readonly exports: ReadonlySet<string>;
  readonly text: string;
}

/** The types of an API's bodies, queries and answers, a file for each of its tags. */
export interface ApiTypes {
  readonly operations: readonly Operation[];
  readonly files: readonly TypeFile[];
}

type Part = 'Body' | 'Query' | 'Answer';

/** The types of an OpenAPI document. @param banner the first line of each file */
export function apiTypes(document: object, banner: string): ApiTypes {
  const operations = operationsOf(document);
  const placed = operations.flatMap((operation) => placedSchemas(operation));
  const shapes = namedShapes(placed);
  const tags = [...new Set(operations.map(({ tag }) => tag))];
  const files = tags.map((tag) => {
    const own = operations.filter((operation) => operation.tag === tag);
    return typeFile({ banner, tag, shapes, operations: own });
  });
  return { operations, files: files.filter(({ exports }) => exports.size > 0) };
}

/** What a part of an operation is called: by the title of its shape, or after the operation. */
export function partName(operation: Operation, part: Part): string {
  const title = partsOf(operation).find(([kind]) => kind === part)?.[1].title;
  return title ?? `${typeName(operation)}${part}`;
}

/** What an item of the pages of an operation is called. */
export function itemName(operation: Operation): string {
  return itemOf(operation)?.title ?? `${typeName(operation)}Item`;
}

/** Imports of the names from the files that have them; `folder` is where those are. */
export function importTexts(
  files: readonly Pick<TypeFile, 'name' | 'exports'>[],
  used: ReadonlySet<string>,
  folder: string,
): readonly string[] {
  return files.flatMap(({ name, exports }) => {
    const names = [...used].filter((each) => exports.has(each)).sort();
    if (names.length === 0) return [];
    return [`import type { ${names.join(', ')} } from '${folder}/${name}.ts';\n`];
  });
}

function partsOf({ body, query, answer }: Operation): readonly (readonly [Part, Schema])[] {
  return [
    ...(body === undefined || body.isFile ? [] : [['Body', body.schema] as const]),
    ...(query === undefined ? [] : [['Query', query] as const]),
    ...(answer === undefined ? [] : [['Answer', answer] as const]),
  ];
}

/** A query is no shape of its own: each of its parameters stands for itself. */
function placedSchemas(operation: Operation): readonly PlacedSchema[] {
  const { name, tag } = operation;
  return partsOf(operation).flatMap(([part, schema]): readonly PlacedSchema[] => {
    const at = `${name}${part}`;
    if (part !== 'Query') return [{ tag, at, schema }];
    const parameters = Object.entries(schema.properties ?? {});
    return parameters.map(([field, own]) => ({ tag, at: `${at}.${field}`, schema: own }));
  });
}

function itemOf({ answer, pagedField }: Operation): Schema | undefined {
  return pagedField === undefined ? undefined : answer?.properties?.[pagedField]?.items;
}

interface TypeFileInput {
  readonly banner: string;
  readonly tag: string;
  readonly shapes: ReadonlyMap<string, NamedShape>;
  readonly operations: readonly Operation[];
}

function typeFile({ banner, tag, shapes, operations }: TypeFileInput): TypeFile {
  const used = new Set<string>();
  const scope = scopeOf(shapes, used);
  const types = new Map<string, string>();
  for (const shape of shapes.values()) {
    if (shape.tag === tag) types.set(shape.name, definitionOf(shape.schema, scope));
  }
  for (const operation of operations) {
    for (const [part, schema] of partsOf(operation)) {
      if (schema.title === undefined)
        types.set(partName(operation, part), typeOfSchema(schema, scope));
    }
    const { pagedField } = operation;
    if (pagedField !== undefined && itemOf(operation)?.title === undefined)
      types.set(itemName(operation), `${partName(operation, 'Answer')}['${pagedField}'][number]`);
  }
  const elsewhere = importTexts(filesOfShapes(shapes, tag), used, '.');
  const declarations = [...types].map(([name, type]) => {
    return `${docText(shapes.get(name)?.words, '')}export type ${name} = ${type};\n`;
  });
  return {
    name: fileName(tag),
    exports: new Set(types.keys()),
    text: [`${banner}\n${elsewhere.join('')}`, ...declarations].join('\n'),
  };
}

/** The files of the other tags, as far as shapes stand in them. */
function filesOfShapes(shapes: ReadonlyMap<string, NamedShape>, except: string) {
  const tags = new Set([...shapes.values()].map(({ tag }) => tag));
  return [...tags]
    .filter((tag) => tag !== except)
    .map((tag) => {
      const own = [...shapes.values()].filter((shape) => shape.tag === tag);
      return { name: fileName(tag), exports: new Set(own.map(({ name }) => name)) };
    });
}

function fileName(tag: string): string {
  return tag.toLowerCase().replaceAll(/\W+/g, '-');
}

function typeName({ name }: Operation): string {
  return name.charAt(0).toUpperCase() + name.slice(1);
}
