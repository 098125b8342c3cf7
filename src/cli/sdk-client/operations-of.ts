import { present } from '../../domain/present.ts';
import type { Schema } from './schema-type.ts';

interface Content {
  readonly content?: Readonly<Record<string, { readonly schema?: Schema }>>;
}

interface DocumentOperation {
  readonly operationId?: string;
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly parameters?: readonly {
    readonly name: string;
    readonly in: string;
    readonly required?: boolean;
    readonly description?: string;
    readonly schema?: Schema;
  }[];
  readonly requestBody?: Content & { readonly required?: boolean };
  readonly responses?: Readonly<Record<string, Content>>;
}

/** One operation of an API, as far as a client has to know it. */
export interface Operation {
  /** Its method in the client. */
  readonly name: string;
  /** What it is about: its first tag. */
  readonly tag: string;
  readonly words: string;
  readonly method: string;
  readonly path: string;
  /** The names of the path's parameters, in their order. */
  readonly pathNames: readonly string[];
  readonly query: Schema | undefined;
  /** `isFile`: the bytes of a file, as they are. */
  readonly body:
    | { readonly schema: Schema; readonly isRequired: boolean; readonly isFile: boolean }
    | undefined;
  /** `lines`: NDJSON both ways, which the client has a method of its own for. */
  readonly form: 'json' | 'lines' | 'bytes' | 'nothing';
  readonly answer: Schema | undefined;
  readonly hasIdempotencyKey: boolean;
  /** Whether sending it twice does what sending it once does. */
  readonly isRepeatable: boolean;
  /** The array of a page, where the answer is one of several pages. */
  readonly pagedField: string | undefined;
}

const json = 'application/json';
const lines = 'application/x-ndjson';
const file = 'application/octet-stream';
/** Without a key, yet the same content is the same analytics record, dispute or attachment. */
const repeatableByContent: readonly string[] = [
  'createAnalytics',
  'reportDispute',
  'addAttachment',
];
const methods: readonly string[] = ['get', 'post', 'put', 'patch', 'delete'];

/** Every operation of an OpenAPI document, in its order. Throws for one without name or tag. */
export function operationsOf(document: object): readonly Operation[] {
  const { paths } = document as {
    readonly paths: Readonly<Record<string, Readonly<Record<string, DocumentOperation>>>>;
  };
  return Object.entries(paths).flatMap(([path, byMethod]) =>
    Object.entries(byMethod)
      .filter(([method]) => methods.includes(method))
      .map(([method, operation]) => operationOf(method.toUpperCase(), path, operation)),
  );
}

function operationOf(method: string, path: string, operation: DocumentOperation): Operation {
  const { operationId, summary = '', description } = operation;
  const [tag] = operation.tags ?? [];
  if (operationId === undefined) throw new Error(`${method} ${path} has no operationId.`);
  if (tag === undefined) throw new Error(`${operationId} has no tag.`);
  const answer = answerOf(operation);
  const hasIdempotencyKey = (operation.parameters ?? []).some(
    (parameter) => parameter.in === 'header' && parameter.name === 'Idempotency-Key',
  );
  return {
    name: clientName(operationId),
    tag,
    words: description === undefined ? `${summary}.` : `${summary}. ${description}`,
    method,
    path,
    pathNames: [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => name),
    query: queryOf(operation),
    body: bodyOf(operationId, operation),
    ...answer,
    hasIdempotencyKey,
    isRepeatable:
      hasIdempotencyKey ||
      ['GET', 'PUT', 'DELETE'].includes(method) ||
      repeatableByContent.includes(operationId),
    pagedField: pagedFieldOf(answer.answer),
  };
}

/** What the service accepts, its caller reports; a dispute is accepted by its caller. */
function clientName(operationId: string): string {
  if (operationId === 'acceptDispute') return operationId;
  return operationId.replace(/^accept(?=[A-Z])/, 'report');
}

function queryOf({ parameters = [] }: DocumentOperation): Schema | undefined {
  const query = parameters.filter((parameter) => parameter.in === 'query');
  if (query.length === 0) return undefined;
  const properties = query.map(({ name, schema = {}, description }) => [
    name,
    { ...schema, ...present({ description }) },
  ]);
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: query.filter(({ required }) => required === true).map(({ name }) => name),
  };
}

function bodyOf(operationId: string, { requestBody }: DocumentOperation): Operation['body'] {
  if (requestBody === undefined) return undefined;
  const isRequired = requestBody.required === true;
  const bytes = requestBody.content?.[file]?.schema;
  if (bytes !== undefined) return { schema: bytes, isRequired, isFile: true };
  const schema = requestBody.content?.[json]?.schema ?? requestBody.content?.[lines]?.schema;
  if (schema === undefined)
    throw new Error(`The body of ${operationId} is neither JSON nor lines.`);
  return { schema, isRequired, isFile: false };
}

function answerOf({ responses = {} }: DocumentOperation): Pick<Operation, 'form' | 'answer'> {
  const success = Object.entries(responses).find(([status]) => status.startsWith('2'))?.[1];
  const content = success?.content ?? {};
  if (content[json] !== undefined) return { form: 'json', answer: content[json].schema };
  if (content[lines] !== undefined) return { form: 'lines', answer: content[lines].schema };
  const form = Object.keys(content).length === 0 ? 'nothing' : 'bytes';
  return { form, answer: undefined };
}

function pagedFieldOf(answer: Schema | undefined): string | undefined {
  const properties = answer?.properties ?? {};
  if (properties.next_cursor === undefined) return undefined;
  return Object.entries(properties).find(([, { type }]) => type === 'array')?.[0];
}
