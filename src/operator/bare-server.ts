import type { FastifyInstance } from 'fastify';
import type { Bounds } from '../http/bounds/bounds.ts';
import { sendAnswer } from '../http/server/answer.ts';
import { createHttpServer } from '../http/server/create-http-server.ts';
import { errorForLog } from '../http/server/error-for-log.ts';
import type { TransportAnswers } from '../http/server/transport-answers.ts';
import { uuidSource } from '../http/server/uuid-source.ts';
import { errorAnswer, tooManyRequests, worded } from './error-answer.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { refusalShape } from './shapes.ts';

/** What is refused before a route is asked. */
export const transportAnswers: TransportAnswers = {
  notFound: worded(404, 'not_found', { detail: 'There is nothing at this address.' }),
  malformed: worded(400, 'invalid_request', { detail: 'What arrived is not an HTTP/1.1 request.' }),
  crossSite: worded(403, 'cross_site_refused'),
  wrongHost: worded(421, 'host_refused'),
  headersTooLarge: worded(431, 'invalid_request', {
    detail: 'The head of the request is too large.',
    action: 'Send it with a shorter address or fewer headers.',
  }),
  tooSlow: worded(408, 'invalid_request', {
    detail: 'The request did not arrive in time.',
    action: 'Send it again.',
  }),
  tooMany: tooManyRequests,
};

/** The operator's server without its routes: what it reads, and how it refuses. */
export function bareServer(
  deps: Pick<OperatorDeps, 'log' | 'random' | 'hosts' | 'proxies'>,
  bounds: Bounds,
): FastifyInstance {
  const server = createHttpServer({
    answers: transportAnswers,
    newUuid: uuidSource(deps.random),
    bounds,
    hosts: deps.hosts,
    proxies: deps.proxies,
  });
  // Moving the clock does a month's work while the connection is silent. The limits for heads, for
  // whole requests and for idle connections stay.
  server.server.setTimeout(0);
  server.addSchema(refusalShape);
  server.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'request-id': request.id, 'cache-control': 'no-store' });
  });
  server.setErrorHandler((error, request, reply) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) {
      const { method, id } = request;
      const route = request.routeOptions.url ?? 'unmatched';
      const fields = { request_id: id, method, route, error: errorForLog(error) };
      deps.log.error(fields, 'An operator request failed');
    }
    return sendAnswer(reply, answer);
  });
  return server;
}
