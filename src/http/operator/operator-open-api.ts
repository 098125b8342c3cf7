import swagger from '@fastify/swagger';
import type { AnswersApi } from '../../disputes/answers-api.ts';
import { AppError } from '../../domain/errors.ts';
import type { OperatorApi } from '../../recovery/operator-api.ts';
import { withExamples } from './add-examples.ts';
import { bareServer } from './bare-server.ts';
import type { OperatorDeps, OperatorDisputes } from './operator-deps.ts';
import { registerRoutes } from './register-routes.ts';

const description = `For those who run Recoup. Send \`Authorization: Bearer\` followed by OPERATOR_TOKEN.

Every refusal has the shape \`{"error":{"code","message","fields"}}\`; docs/errors.md lists the codes.
Answers leave out what has no value. Timestamps are RFC 3339 in UTC; amounts are decimals in major units.`;

/** The OpenAPI 3.1 document of the operator's API, made from the routes themselves. */
export async function operatorOpenApi(): Promise<object> {
  const server = bareServer(noDeps);
  await server.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: { title: 'Recoup operator API', version: '1', description },
      servers: [{ url: 'http://127.0.0.1:8082' }],
      tags: [
        'Merchants',
        'PSP connections',
        'Credentials',
        'Payments',
        'Unknown charges',
        'Deliveries',
        'PSP events',
        'Disputes',
        'Models',
        'Overview',
        'Sandbox',
        'Service',
      ].map((name) => ({ name })),
      components: { securitySchemes: { operator: { type: 'http', scheme: 'bearer' } } },
    },
    transform: ({ schema, url }) => ({
      schema: url.startsWith('/api/') ? { ...schema, security: [{ operator: [] }] } : schema,
      url,
    }),
    refResolver: {
      buildLocalReference: (json, _base, _fragment, index) => String(json.$id ?? index),
    },
  });
  registerRoutes(server, noDeps);
  await server.ready();
  const document = server.swagger();
  await server.close();
  return JSON.parse(JSON.stringify(document, plain)) as object;
}

interface RequestBody {
  readonly content?: { readonly 'application/json'?: { readonly schema?: object } };
}

/**
 * A part of the document without our own marks: the words of faults, which the answers give, and
 * `x-optional` of a body that may be left out, which the generator cannot say. Answers get examples.
 */
function plain(key: string, value: unknown): unknown {
  if (key === 'x-fault' || key === 'x-optional') return undefined;
  if (key === 'responses') return withExamples(value as object);
  if (key !== 'requestBody') return value;
  const body = value as RequestBody;
  const isOptional = 'x-optional' in (body.content?.['application/json']?.schema ?? {});
  return isOptional ? { ...body, required: false } : body;
}

/** The document needs the routes alone; nobody calls them. */
const noDeps: OperatorDeps = {
  api: {} as OperatorApi,
  checkup: async () => [],
  followEvents: async () => ({ items: [], cursor: '0' }),
  disputes: {} as OperatorDisputes,
  answers: {} as AnswersApi,
  operatorToken: '',
  now: () => new Date(0),
  live: { subscribe: () => () => {} },
  machine: { now: () => new Date(0) },
  ready: async () => false,
  metrics: async () => {
    throw new AppError('internal_error');
  },
  disputesUrl: '',
  random: { bytes: (count) => new Uint8Array(count) },
  log: { debug: () => {}, error: () => {} },
};
