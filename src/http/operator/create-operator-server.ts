import fastify, { type FastifyInstance } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { readStrictJson } from '../strict-json.ts';
import { allowedMethods, type RouteMethods } from './allowed-methods.ts';
import { errorReply } from './error-reply.ts';
import { InvalidRequest } from './invalid-request.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { registerRoutes } from './register-routes.ts';
import { validatorCompiler } from './validate.ts';

/** How long a request may take to arrive whole. */
const requestTimeoutMs = 30_000;
/** Ids have 255 characters, each up to nine in a URL. */
const paramLengthMost = 4096;

/**
 * The server of the operator's API: `/api` behind the operator token, and the probes and metrics
 * without one. It listens when the caller says so.
 */
export function createOperatorServer(deps: OperatorDeps): FastifyInstance {
  const server = bareServer(deps.log);
  registerRoutes(server, deps);
  return server;
}

/** The server's manners without its routes: what it reads, and how it refuses. */
export function bareServer(log: OperatorDeps['log']): FastifyInstance {
  const server = fastify({
    bodyLimit: limits.requestBodyBytes,
    requestTimeout: requestTimeoutMs,
    routerOptions: { maxParamLength: paramLengthMost },
    forceCloseConnections: 'idle',
    // A request that arrives on a kept connection during the stop is answered like any other.
    return503OnClosing: false,
    frameworkErrors: (error, _request, reply) => {
      const { status, body } = errorReply(error);
      return reply.code(status).send(body);
    },
  });
  server.setValidatorCompiler(validatorCompiler);
  readJsonOnly(server);
  server.setErrorHandler((error, request, reply) => {
    const { status, body } = errorReply(error);
    if (status >= 500) {
      const route = `${request.method} ${request.routeOptions.url ?? 'unmatched'}`;
      log.error({ err: error, route }, 'An operator request failed');
    }
    return reply.code(status).send(body);
  });
  answerUnknown(server);
  return server;
}

function readJsonOnly(server: FastifyInstance): void {
  server.removeAllContentTypeParsers();
  server.addContentTypeParser(
    'application/json',
    { parseAs: 'buffer' },
    async (_request: unknown, body: Buffer) => {
      const reading = readStrictJson(body);
      if (reading.kind === 'faults') throw new InvalidRequest(reading.faults);
      return reading.value;
    },
  );
}

function answerUnknown(server: FastifyInstance): void {
  const routes: RouteMethods = new Map();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, methods);
  });
  server.setNotFoundHandler((request, reply) => {
    const allowed = allowedMethods(routes, request.url);
    if (allowed.length === 0) throw new AppError('not_found', 'There is nothing at this address.');
    reply.header('allow', allowed.join(', '));
    throw new AppError('method_not_allowed');
  });
}
