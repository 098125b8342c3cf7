import type { FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { readStrictJson } from '../../domain/json/strict-json.ts';
import { limits } from '../../domain/limits.ts';
import { sendAnswer } from '../server/answer.ts';
import { createHttpServer } from '../server/create-http-server.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { readBody } from '../server/read-body.ts';
import type { TransportAnswers } from '../server/transport-answers.ts';
import { uuidSource } from '../server/uuid-source.ts';
import { errorAnswer, worded } from './error-answer.ts';
import { InvalidRequest } from './invalid-request.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { refusalShape } from './shapes.ts';
import { validatorCompiler } from './validate.ts';

const answers: TransportAnswers = {
  notFound: worded(404, 'not_found', 'There is nothing at this address.'),
  malformed: worded(400, 'invalid_request', 'What arrived is not an HTTP/1.1 request.'),
  headersTooLarge: worded(431, 'invalid_request', 'The head of the request is too large.'),
  tooSlow: worded(408, 'invalid_request', 'The request did not arrive in time.'),
};

/** The operator's server without its routes: what it reads, and how it refuses. */
export function bareServer(deps: Pick<OperatorDeps, 'log' | 'random'>): FastifyInstance {
  const server = createHttpServer({ answers, newUuid: uuidSource(deps.random) });
  // Moving the clock does a month's work while the connection is silent. The limits for heads, for
  // whole requests and for idle connections stay.
  server.server.setTimeout(0);
  server.setValidatorCompiler(validatorCompiler);
  server.addSchema(refusalShape);
  readJson(server);
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

function readJson(server: FastifyInstance): void {
  server.addContentTypeParser('application/json', (request, _payload, done) => {
    readBody(request.raw, limits.requestBodyBytes, (body) => {
      if (body.kind === 'too_large') return done(new AppError('payload_too_large'));
      // Nobody waits for the answer to a request that was cut off.
      if (body.kind === 'cut_off') return done(new AppError('invalid_request'));
      if (body.bytes.length === 0) return done(null, undefined);
      const reading = readStrictJson(body.bytes);
      if (reading.kind === 'value') done(null, reading.value);
      else done(new InvalidRequest(reading.faults));
    });
  });
}
