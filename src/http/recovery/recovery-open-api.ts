import { release } from '../../domain/release.ts';
import { openApiOf } from '../endpoint/open-api-of.ts';
import { endpoints } from './endpoints.ts';
import { answerHeaderDocs, requestHeaderDocs } from './header-docs.ts';
import { getAnswers, postAnswers } from './shared-docs.ts';

const description = `Report billing attempts and payment method changes, and follow the recovery of failed payments.

Send your API key as \`x-api-key\`. Bodies are JSON in UTF-8, at most 64 KiB, nested at most 32 levels deep, without
a member twice; integers beyond 2^53 - 1 go as strings. Unknown fields are ignored and not kept. Amounts are decimals
in major units. Timestamps are RFC 3339; answers give them in UTC and leave out what has no value.`;

/** The OpenAPI 3.1 document of the recovery API, made from the endpoints that the server registers. */
export async function recoveryOpenApi(): Promise<object> {
  return await openApiOf({
    head: {
      info: { title: 'Recoup recovery API', version: release, description },
      servers: [{ url: 'http://127.0.0.1:8080' }],
      tags: [
        { name: 'Intake', description: 'What you report.' },
        { name: 'Payments', description: 'What becomes of failed payments.' },
        { name: 'Events', description: 'What your webhook receives.' },
        { name: 'Statements', description: 'What each day came to, chained by hashes.' },
        { name: 'Portal', description: 'Where your own people read what is yours.' },
      ],
      components: {
        securitySchemes: { apiKey: { type: 'apiKey', in: 'header', name: 'x-api-key' } },
      },
      security: [{ apiKey: [] }],
    },
    endpoints,
    shared: ({ method, schema }) =>
      method === 'GET' ? getAnswers(schema !== undefined) : postAnswers,
    requestHeaders: ({ method }) => requestHeaderDocs(method),
    answerHeaders: ({ method }, status) => answerHeaderDocs(method, status),
  });
}
