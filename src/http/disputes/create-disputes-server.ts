import type { FastifyInstance } from 'fastify';
import { limits } from '../../domain/limits.ts';
import { addDocs } from '../docs/add-docs.ts';
import { sendAnswer } from '../server/answer.ts';
import { createHttpServer } from '../server/create-http-server.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { readBody } from '../server/read-body.ts';
import { otherMethodsOf } from '../server/refuse-other-methods.ts';
import { uuidSource } from '../server/uuid-source.ts';
import { transportAnswers } from './answers.ts';
import type { DisputesDeps } from './disputes-deps.ts';
import { errorAnswer } from './error-answer.ts';
import { merchantCalls } from './merchant-calls.ts';
import { pspWebhook } from './psp-webhook.ts';

/** Adds one endpoint to the server. */
type Endpoint = (server: FastifyInstance, deps: DisputesDeps) => void;

/** Every endpoint of the disputes listener. */
const endpoints: readonly Endpoint[] = [pspWebhook, merchantCalls];

/**
 * The server of the disputes listener, which PSPs and merchants' checkouts call. It speaks in FastAPI's
 * words: each refusal is a `detail`. It listens when the caller says so.
 */
export function createDisputesServer(deps: DisputesDeps): FastifyInstance {
  const server = createHttpServer({
    answers: transportAnswers,
    newUuid: uuidSource(deps.random),
  });
  readRaw(server);
  server.setErrorHandler((error, request, reply) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) {
      const route = request.routeOptions.url ?? 'unmatched';
      const fields = { request_id: request.id, method: request.method, route };
      deps.log.error({ ...fields, error: errorForLog(error) }, 'a request failed');
    }
    return sendAnswer(reply, answer);
  });
  const otherMethods = otherMethodsOf(server);
  for (const endpoint of endpoints) endpoint(server, deps);
  addDocs(server, {
    title: 'Recoup disputes API',
    securityScheme: 'basic',
    documents: [
      {
        title: 'Disputes API',
        file: 'openapi.json',
        make: async () => (await import('./disputes-open-api.ts')).disputesOpenApi(),
        isOfThisServer: true,
      },
    ],
  });
  otherMethods.refuse();
  return server;
}

/** Bodies as they came, of any type or none: a signature is over the bytes. */
function readRaw(server: FastifyInstance): void {
  server.addContentTypeParser('*', (_request, payload, done) => {
    readBody(payload, limits.pspWebhookBytes, (body) => done(null, body));
  });
}
