import { AppError, type ErrorCode } from '../domain/errors.ts';
import { fieldRequired } from '../domain/json/fault.ts';
import { present } from '../domain/present.ts';
import { release } from '../domain/release.ts';
import type { AnswerDocs, Endpoint } from '../http/endpoint/define-endpoint.ts';
import { openApiOf } from '../http/endpoint/open-api-of.ts';
import { transportAnswers } from './bare-server.ts';
import { openEndpoints, operatorEndpoints } from './endpoints.ts';
import { errorAnswer } from './error-answer.ts';
import { exportEndpoints } from './exports/export-endpoints.ts';
import { InvalidRequest } from './invalid-request.ts';
import { refusalShape, refusals } from './shapes.ts';

const description = `For those who run Recoup. Send \`Authorization: Bearer\` followed by a personal token, or by OPERATOR_TOKEN.

Every refusal has the shape \`{"error":{"code","message","fields"}}\`; docs/errors.md lists the codes.
Answers leave out what has no value. Timestamps are RFC 3339 in UTC; amounts are decimals in major units.`;

const tags = [
  'Merchants',
  'PSP connections',
  'Credentials',
  'Portal',
  'Payments',
  'Customers',
  'Messages',
  'Bulk actions',
  'Limits',
  'Unknown charges',
  'Deliveries',
  'PSP events',
  'Disputes',
  'Dispute reports',
  'Dispute evidence',
  'Models',
  'Overview',
  'Audit log',
  'Exports',
  'Operators',
  'Saved views',
  'Sandbox',
  'Service',
];

/** The OpenAPI 3.1 document of the operator's API, made from the endpoints that its server serves. */
export async function operatorOpenApi(): Promise<object> {
  return await openApiOf({
    head: {
      info: { title: 'Recoup operator API', version: release, description },
      servers: [{ url: 'http://127.0.0.1:8082' }],
      tags: tags.map((name) => ({ name })),
      components: { securitySchemes: { operator: { type: 'http', scheme: 'bearer' } } },
    },
    endpoints: [...openEndpoints, ...operatorEndpoints, ...exportEndpoints],
    components: [refusalShape],
    shared: refusalsByForm,
    security: ({ path }) => (path.startsWith('/api/') ? [{ operator: [] }] : undefined),
    exampleOfComponent: refusalExample,
  });
}

/** What the stages before an endpoint and the check of its parts refuse, as the endpoint's form has it. */
function refusalsByForm(endpoint: Endpoint): Readonly<Record<number, AnswerDocs>> {
  const { method, needs, schema } = endpoint;
  const common = refusals(400, 404, 409, 413, 415);
  if (needs === undefined) {
    return present({ 408: common[408], 421: common[421], 431: common[431] });
  }
  return present({
    400: schema && common[400],
    // An operator of some merchants asks for another one.
    404: needs.reach === 'query' || needs.reach === 'queried' ? common[404] : undefined,
    // Of a merchant that has moved to another cell.
    409: method !== 'GET' && needs.reach === 'path' ? common[409] : undefined,
    413: schema?.body && common[413],
    // Of a body that nobody asked for too.
    415: method === 'GET' ? undefined : common[415],
  });
}

/** Each refusal's error, for the example of its status; what an endpoint throws is answered likewise. */
const codes: Readonly<Record<number, ErrorCode>> = {
  401: 'operator_unauthorized',
  403: 'operator_forbidden',
  404: 'not_found',
  406: 'not_acceptable',
  409: 'conflict',
  413: 'payload_too_large',
  415: 'unsupported_media_type',
  422: 'psp_credentials_refused',
  421: 'host_refused',
  429: 'too_many_requests',
  500: 'internal_error',
  503: 'database_unreachable',
};

function refusalExample(status: number): unknown {
  if (status === 408) return JSON.parse(transportAnswers.tooSlow.body);
  if (status === 431) return JSON.parse(transportAnswers.headersTooLarge.body);
  const code = codes[status];
  const error =
    code === undefined
      ? new InvalidRequest([{ at: 'cursor', text: fieldRequired }])
      : new AppError(code);
  return JSON.parse(errorAnswer(error).body);
}
