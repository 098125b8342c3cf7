import swagger, { type FastifyDynamicSwaggerOptions } from '@fastify/swagger';
import { type FastifySchema, fastify } from 'fastify';
import type { TSchema } from 'typebox';
import type { NeededScope } from '../../domain/access/scopes.ts';
import { present } from '../../domain/present.ts';
import { ownKeywords } from '../check-schema.ts';
import { routerPath } from '../router-path.ts';
import { withExamples } from './add-examples.ts';
import type { AnswerDocs, Endpoint, EndpointDocs } from './define-endpoint.ts';

/** An API as its document shows it. */
export interface DocumentedApi {
  readonly head: NonNullable<FastifyDynamicSwaggerOptions['openapi']>;
  readonly endpoints: readonly Endpoint[];
  /** Answers that an endpoint has beside its own. */
  shared?(endpoint: Endpoint): Readonly<Record<number, AnswerDocs>>;
  requestHeaders?(endpoint: Endpoint): object;
  answerHeaders?(endpoint: Endpoint, status: number): Readonly<Record<string, object>>;
  /** The credentials of one endpoint, where they are not the same for all. */
  security?(endpoint: Endpoint): object[] | undefined;
  /** Shapes that others name by their `$id`. */
  readonly components?: readonly TSchema[];
  /** The example of an answer that names one of the components. */
  exampleOfComponent?(status: number): unknown;
}

/** The OpenAPI 3.1 document of an API, as plain JSON, made from the endpoints that it serves. */
export async function openApiOf(api: DocumentedApi): Promise<object> {
  const app = fastify();
  await app.register(swagger, {
    openapi: { openapi: '3.1.0', ...api.head },
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? index),
    },
  });
  for (const component of api.components ?? []) app.addSchema(component);
  for (const endpoint of api.endpoints) {
    const { method, path, docs } = endpoint;
    if (docs === undefined) continue;
    const schema = schemaOf(api, endpoint, docs);
    app.route({
      method,
      url: routerPath(path),
      config: { swaggerTransform: () => ({ schema, url: path }) },
      handler: async () => undefined,
    });
  }
  await app.ready();
  const document = app.swagger();
  await app.close();
  return JSON.parse(JSON.stringify(document, plainPart(api))) as object;
}

function schemaOf(api: DocumentedApi, endpoint: Endpoint, docs: EndpointDocs): object {
  const { path, query, body } = { ...endpoint.schema, ...endpoint.documented };
  const description = withScope(docs.description, endpoint.scope);
  const answers = Object.entries({ ...api.shared?.(endpoint), ...endpoint.answers });
  const security = api.security?.(endpoint);
  const headers = api.requestHeaders?.(endpoint);
  return {
    operationId: docs.id,
    tags: [docs.tag],
    summary: docs.summary,
    ...present({ description, params: path, querystring: query, headers }),
    ...(body !== undefined && bodyOf(endpoint, body)),
    ...present({ security }),
    response: Object.fromEntries(
      answers.map(([status, answer]) => [
        status,
        'schema' in answer
          ? describedOf(api, endpoint, { status: Number(status), answer })
          : answer,
      ]),
    ),
  };
}

function withScope(description: string | undefined, scope: NeededScope | undefined) {
  if (scope === undefined || scope === 'any') return description;
  const sentence = `Needs a key with the scope \`${scope}\`.`;
  return description === undefined ? sentence : `${description} ${sentence}`;
}

function bodyOf({ body: options = {} }: Endpoint, schema: TSchema): FastifySchema {
  const examples = Object.entries(options.examples ?? {}).map(([name, value]) => [name, { value }]);
  return {
    ...(options.mediaType !== undefined && { consumes: [options.mediaType] }),
    body: {
      ...schema,
      ...(examples.length > 0 && { 'x-examples': Object.fromEntries(examples) }),
      ...(options.isOptional === true && { 'x-optional': true }),
    },
  };
}

function describedOf(
  api: DocumentedApi,
  endpoint: Endpoint,
  of: { readonly status: number; readonly answer: Extract<AnswerDocs, { schema: unknown }> },
): object {
  const { description, mediaType = 'application/json', schema, example } = of.answer;
  const headers = { ...api.answerHeaders?.(endpoint, of.status), ...of.answer.headers };
  const otherForms = Object.entries(of.answer.otherForms ?? {}).map(([type, form]) => [
    type,
    { schema: form },
  ]);
  return {
    description,
    ...(Object.keys(headers).length > 0 && { headers }),
    content: { [mediaType]: { schema, example }, ...Object.fromEntries(otherForms) },
  };
}

const ownMarks: readonly string[] = [...ownKeywords, 'x-optional'];

interface RequestBody {
  readonly content?: Readonly<Record<string, { readonly schema?: object }>>;
}

/**
 * A part of the document without our own marks: those of fields, which the check goes by, and
 * `x-optional` of a body that may be left out, which the generator cannot say. Answers get examples.
 */
function plainPart(api: DocumentedApi): (key: string, value: unknown) => unknown {
  return (key, value) => {
    if (ownMarks.includes(key)) return undefined;
    if (key === 'responses') return withExamples(value as object, api.exampleOfComponent);
    if (key !== 'requestBody') return value;
    const body = value as RequestBody;
    const isOptional = 'x-optional' in (body.content?.['application/json']?.schema ?? {});
    return isOptional ? { ...body, required: false } : body;
  };
}
