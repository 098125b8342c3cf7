import { openApiOf } from '../docs/open-api-of.ts';
import { detailDocs } from './detail-docs.ts';
import type { DisputesEndpoint } from './endpoint.ts';
import { disputesEndpoints } from './endpoints.ts';
import type { DisputesOperation, DisputesOperationAnswer } from './operation.ts';

const description = `Submit what your checkouts capture, as evidence for later disputes.

Authenticate with HTTP Basic: your merchant id and a disputes password. What is wrong with a request is told by 422, its
\`detail\` naming each place; what you sent is never repeated. Unknown fields are ignored and not kept.`;

const shared: Readonly<Record<number, DisputesOperationAnswer>> = {
  401: detailDocs('The credentials are absent, malformed or wrong.', 'Not authenticated'),
  429: detailDocs(
    'Too many wrong credentials from your address; Retry-After says how many seconds to wait.',
    'Too many failed tries. Try again in 42 s.',
  ),
  500: detailDocs('Recoup failed on its own side.', 'Internal Server Error'),
  503: detailDocs(
    'The service cannot work just now; Retry-After says how many seconds to wait.',
    'The service cannot work just now.',
  ),
};

/** The OpenAPI 3.1 document of what merchants call on the disputes listener. */
export async function disputesOpenApi(): Promise<object> {
  return await openApiOf(
    {
      info: { title: 'Recoup disputes API', version: '1', description },
      servers: [{ url: 'http://127.0.0.1:8081' }],
      tags: [
        { name: 'Analytics', description: 'What checkouts capture.' },
        { name: 'Customers', description: 'Whom they are about.' },
        { name: 'Disputes', description: 'What cardholders contest, and what belongs to it.' },
        { name: 'Service', description: 'The service itself.' },
      ],
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
      security: [{ basic: [] }],
    },
    disputesEndpoints.map((endpoint) => {
      const [path] = endpoint.paths;
      return { method: endpoint.method, path, schema: schemaOf(endpoint) };
    }),
  );
}

function schemaOf({ operation }: DisputesEndpoint): object {
  const answers = Object.entries({ ...shared, ...operation.answers });
  return {
    operationId: operation.operationId,
    tags: [operation.tag],
    summary: operation.summary,
    description: operation.description,
    ...(operation.path === undefined ? {} : { params: operation.path }),
    ...(operation.query === undefined ? {} : { querystring: operation.query }),
    ...bodyOf(operation),
    response: Object.fromEntries(
      answers.map(([status, answer]) => [status, responseOf(Number(status), answer)]),
    ),
  };
}

function bodyOf({ body }: DisputesOperation): object {
  if (body === undefined) return {};
  const examples = { example: { value: body.example } };
  return {
    consumes: [body.mediaType],
    body: { ...body.schema, 'x-examples': examples },
  };
}

function responseOf(status: number, answer: DisputesOperationAnswer): object {
  const { schema, example, mediaType = 'application/json' } = answer;
  const headers = {
    'Request-Id': { type: 'string', description: "The request's id: your own, or a fresh UUID." },
    ...(status === 401 ? { 'WWW-Authenticate': { type: 'string', description: 'Basic' } } : {}),
    ...(status === 429 || status === 503
      ? { 'Retry-After': { type: 'integer', description: 'Seconds to wait.' } }
      : {}),
  };
  return {
    description: answer.description,
    headers,
    content: { [mediaType]: { schema, example } },
  };
}
