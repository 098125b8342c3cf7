import { openApiOf } from '../docs/open-api-of.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { answerHeaderDocs, requestHeaderDocs } from './header-docs.ts';
import type { Operation, OperationAnswer } from './operation.ts';
import { getAnswers, postAnswers } from './shared-docs.ts';

const description = `Report billing attempts and payment method changes, and follow the recovery of failed payments.

Send your API key as \`x-api-key\`. Bodies are JSON in UTF-8, at most 64 KiB, nested at most 32 levels deep, without
a member twice; integers beyond 2^53 - 1 go as strings. Unknown fields are ignored and not kept. Amounts are decimals
in major units. Timestamps are RFC 3339; answers give them in UTC and leave out what has no value.`;

/** The OpenAPI 3.1 document of the recovery API, made from the endpoints that the server registers. */
export async function recoveryOpenApi(): Promise<object> {
  const document = await openApiOf(
    {
      info: { title: 'Recoup recovery API', version: '1', description },
      servers: [{ url: 'http://127.0.0.1:8080' }],
      tags: [
        { name: 'Intake', description: 'What you report.' },
        { name: 'Payments', description: 'What becomes of failed payments.' },
        { name: 'Events', description: 'What your webhook is told.' },
      ],
      components: {
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      },
      security: [{ apiKey: [] }],
    },
    endpoints.map((endpoint) => ({
      method: endpoint.method,
      path: endpoint.path,
      schema: schemaOf(endpoint),
    })),
  );
  return withOptionalBodies(document);
}

function schemaOf(endpoint: Endpoint): object {
  const { operation, method } = endpoint;
  const shared = method === 'GET' ? getAnswers(operation.query !== undefined) : postAnswers;
  const answers = Object.entries({ ...shared, ...operation.answers });
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.path === undefined ? {} : { params: operation.path }),
    ...(operation.query === undefined ? {} : { querystring: operation.query }),
    headers: requestHeaderDocs(method),
    ...bodyOf(operation),
    response: Object.fromEntries(
      answers.map(([status, answer]) => [status, responseOf(method, Number(status), answer)]),
    ),
  };
}

function bodyOf({ body }: Operation): object {
  if (body === undefined) return {};
  const examples = Object.entries(body.examples).map(([name, value]) => [name, { value }]);
  return { body: { ...body.schema, 'x-examples': Object.fromEntries(examples) } };
}

function responseOf(method: string, status: number, answer: OperationAnswer): object {
  const { schema, example } = answer;
  return {
    description: answer.description,
    headers: answerHeaderDocs(method, status),
    content: { 'application/json': { schema, example } },
  };
}

interface Document {
  readonly paths?: Readonly<
    Record<string, { readonly post?: { readonly requestBody?: { required?: boolean } } }>
  >;
}

/** Marks the bodies that may be left out, which the generator cannot. */
function withOptionalBodies(document: Document): Document {
  for (const endpoint of endpoints) {
    const body = document.paths?.[endpoint.path]?.post?.requestBody;
    if (endpoint.method === 'POST' && body !== undefined) body.required = !endpoint.bodyIsOptional;
  }
  return document;
}
