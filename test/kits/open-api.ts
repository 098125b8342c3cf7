import { Ajv } from 'ajv';
import { isRfc3339 } from '../../src/http/rfc3339.ts';

/** One operation of an OpenAPI document, as tests use it. */
export interface ApiOperation {
  /** Such as `GET /recover/payments/{invoice_id}`. */
  readonly name: string;
  readonly operationId: string;
  readonly method: string;
  readonly path: string;
  /** The parameters that a query may have. */
  readonly queryNames: readonly string[];
  /** The parameters that a query must have, with their examples, such as `?since=…`, or nothing. */
  readonly requiredQuery: string;
  readonly body?: {
    readonly mediaType: string;
    readonly schema: JsonSchema;
    readonly examples: readonly Example[];
  };
  /** By status; an answer without a body has no schema. */
  readonly answers: ReadonlyMap<number, AnswerDocs>;
}

export interface AnswerDocs {
  /** Every type that it may have, the one of `schema` first. */
  readonly mediaTypes: readonly string[];
  /** Absent: it has no body. */
  readonly mediaType?: string;
  readonly schema?: JsonSchema;
  readonly examples: readonly Example[];
}

export interface Example {
  readonly name: string;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads what it expects to be there
  readonly value: any;
}

export type JsonSchema = Readonly<Record<string, unknown>>;

interface Media {
  readonly schema: JsonSchema;
  readonly example?: unknown;
  readonly examples?: Readonly<Record<string, { readonly value: unknown }>>;
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly example?: unknown;
}

interface RawOperation {
  readonly operationId: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, Media>> };
  readonly responses: Readonly<
    Record<string, { readonly content?: Readonly<Record<string, Media>> }>
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, RawOperation>>>>;

interface RawDocument {
  readonly paths: Paths;
  readonly webhooks?: Paths;
  readonly components?: { readonly schemas?: Readonly<Record<string, JsonSchema>> };
}

/** Every operation of a document, its references resolved; webhooks go by their names as paths. */
export function operationsOf(document: object): readonly ApiOperation[] {
  const { paths, webhooks = {}, components } = document as RawDocument;
  return Object.entries({ ...paths, ...webhooks }).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, raw]) => {
      const resolved = resolve(raw, components?.schemas ?? {}) as RawOperation;
      const [body] = Object.entries(resolved.requestBody?.content ?? {});
      return {
        name: `${method.toUpperCase()} ${path}`,
        operationId: resolved.operationId,
        method: method.toUpperCase(),
        path,
        queryNames: queryOf(resolved).map(({ name }) => name),
        requiredQuery: requiredQuery(resolved),
        ...(body === undefined ? {} : { body: { mediaType: body[0], ...mediaDocs(body[1]) } }),
        answers: new Map(
          Object.entries(resolved.responses).map(([status, { content }]): [number, AnswerDocs] => {
            const [media] = Object.entries(content ?? {});
            const mediaTypes = Object.keys(content ?? {});
            if (media === undefined) return [Number(status), { mediaTypes, examples: [] }];
            return [Number(status), { mediaTypes, mediaType: media[0], ...mediaDocs(media[1]) }];
          }),
        ),
      };
    }),
  );
}

function queryOf({ parameters = [] }: RawOperation): readonly Parameter[] {
  return parameters.filter((parameter) => parameter.in === 'query');
}

function requiredQuery(operation: RawOperation): string {
  const pairs = queryOf(operation)
    .filter((parameter) => parameter.required === true)
    .map(({ name, example }): [string, string] => [name, String(example)]);
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

function mediaDocs({ schema, example, examples = {} }: Media) {
  const named = Object.entries(examples).map(([name, { value }]) => ({ name, value }));
  return {
    schema,
    examples: example === undefined ? named : [{ name: 'example', value: example }, ...named],
  };
}

/** What a document says of the answers of one operation, by status. */
export function answersOf(document: object, operationId: string): ApiOperation['answers'] {
  const found = operationsOf(document).find((operation) => operation.operationId === operationId);
  if (found === undefined) throw new Error(`No operation ${operationId} is documented.`);
  return found.answers;
}

const ajv = new Ajv({
  strict: false,
  allErrors: true,
  formats: { 'date-time': isRfc3339, ipv4: true, email: true },
});
const compiled = new Map<JsonSchema, ReturnType<typeof ajv.compile>>();

/** What is wrong with a value by a schema in which nothing undocumented may stand; none is good. */
export function schemaFaults(schema: JsonSchema, value: unknown): readonly string[] {
  const validate = compiled.get(schema) ?? ajv.compile(closed(schema) as JsonSchema);
  compiled.set(schema, validate);
  if (validate(value)) return [];
  return (validate.errors ?? []).map(
    (error) => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
  );
}

/** What is sent of an example: JSON, or the text of a file as it is. */
export function sentBody({ body }: Pick<ApiOperation, 'body'>, value: unknown): string {
  const isFile = body?.mediaType === 'application/octet-stream';
  return isFile && typeof value === 'string' ? value : JSON.stringify(value);
}

/** The operation's path with each parameter's value. */
export function fillPath(path: string, values: Readonly<Record<string, string>>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name];
    if (value === undefined) throw new Error(`No value for {${name}} of ${path}`);
    return encodeURIComponent(value);
  });
}

/** Objects say which members they have; any other would be undocumented. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed);
  if (typeof schema !== 'object' || schema === null) return schema;
  const { examples, example, ...rest } = schema as JsonSchema;
  const parts = Object.fromEntries(
    Object.entries(rest).map(([key, value]) => [key, closedPart(key, value)]),
  );
  const isOpen = 'properties' in rest && !('additionalProperties' in rest);
  return isOpen && rest.type === 'object' ? { ...parts, additionalProperties: false } : parts;
}

function closedPart(key: string, value: unknown): unknown {
  if (key === 'required') return value;
  if (key !== 'properties') return closed(value);
  // Names of members, any of which may be a word of the schema's own.
  const members = Object.entries(value as JsonSchema);
  return Object.fromEntries(members.map(([name, member]) => [name, closed(member)]));
}

function resolve(value: unknown, schemas: Readonly<Record<string, JsonSchema>>): unknown {
  if (Array.isArray(value)) return value.map((each) => resolve(each, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const { $ref } = value as { readonly $ref?: unknown };
  if (typeof $ref === 'string') return schemas[$ref.replace(/^.*\//, '')];
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, resolve(part, schemas)]),
  );
}
