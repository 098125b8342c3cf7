import { errorRegistry } from '../../domain/errors.ts';
import { release } from '../../domain/release.ts';
import type { DescribedAnswer } from '../endpoint/define-endpoint.ts';
import { openApiOf } from '../endpoint/open-api-of.ts';
import { detailDocs } from './detail-docs.ts';
import { disputesEndpoints } from './endpoints.ts';
import { validationDocs } from './validation-answer.ts';

const description = `Submit what your checkouts saw of their customers, as evidence for later disputes.

Authenticate with HTTP Basic: your merchant id and a disputes password. What is wrong with a request is answered with 422, its
\`detail\` naming each place; what you sent is never repeated. Unknown fields are ignored and not kept.`;

const shared: Readonly<Record<number, DescribedAnswer>> = {
  401: detailDocs('The credentials are absent, malformed or wrong.', 'Not authenticated'),
  408: detailDocs(
    'The request did not arrive within 20 seconds.',
    'The request did not arrive in time.',
  ),
  421: detailDocs(
    'The Host header names an address that is not served.',
    errorRegistry.host_refused.what,
  ),
  429: detailDocs(
    'Too many requests in this minute or at once, or too many wrong credentials from your address; Retry-After says how many seconds to wait.',
    'Too many requests. Try again in 42 s.',
  ),
  431: detailDocs(
    'The request line and the headers are longer than 16 KiB together.',
    'The request line and the headers may have 16 KiB together.',
  ),
  500: detailDocs('An internal error occurred in Recoup.', 'Internal Server Error'),
  503: detailDocs(
    'The service cannot work just now; Retry-After says how many seconds to wait.',
    'The service cannot work just now.',
  ),
};

const scoped: Readonly<Record<number, DescribedAnswer>> = {
  403: detailDocs(
    'The password is valid, and lacks the scope that this needs.',
    "This needs the scope act, and the key's are: intake, read.",
  ),
};

const tooLarge = detailDocs('The body is too large.', errorRegistry.payload_too_large.what);

/** The OpenAPI 3.1 document of what merchants call on the disputes listener. */
export async function disputesOpenApi(): Promise<object> {
  return await openApiOf({
    head: {
      info: { title: 'Recoup disputes API', version: release, description },
      servers: [{ url: 'http://127.0.0.1:8081' }],
      tags: [
        { name: 'Analytics', description: 'What checkouts saw of their customers.' },
        { name: 'Customers', description: 'Whom they are about.' },
        { name: 'Disputes', description: 'What cardholders contest, and what belongs to it.' },
        { name: 'Evidence', description: 'What an answer to a dispute is made of.' },
        { name: 'Service', description: 'The service itself.' },
      ],
      components: { securitySchemes: { basic: { type: 'http', scheme: 'basic' } } },
      security: [{ basic: [] }],
    },
    endpoints: disputesEndpoints,
    shared: ({ schema, documented, scope }) => ({
      ...(schema?.path !== undefined && { 422: validationDocs }),
      ...((schema?.body ?? documented?.body) !== undefined && { 413: tooLarge }),
      ...(scope !== 'any' && scoped),
      ...shared,
    }),
    answerHeaders: (_endpoint, status) => headersOf(status),
  });
}

function headersOf(status: number): Readonly<Record<string, object>> {
  return {
    'Request-Id': { type: 'string', description: "The request's id: your own, or a fresh UUID." },
    ...(![401, 408, 421, 431].includes(status) && {
      'RateLimit-Policy': {
        type: 'string',
        description: 'Requests (q) in a window of w seconds.',
      },
      RateLimit: {
        type: 'string',
        description: 'Requests left (r), seconds to the next window (t).',
      },
    }),
    ...(status === 401 && { 'WWW-Authenticate': { type: 'string', description: 'Basic' } }),
    ...((status === 429 || status === 503) && {
      'Retry-After': { type: 'integer', description: 'Seconds to wait.' },
    }),
  };
}
