import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../../domain/errors.ts';
import { bareServer } from './bare-server.ts';
import type { OperatorDeps } from './operator-deps.ts';
import { registerRoutes } from './register-routes.ts';

/**
 * The server of the operator's API: `/api` behind the operator token, and the probes and metrics
 * without one. It listens when the caller says so.
 */
export function createOperatorServer(deps: OperatorDeps): FastifyInstance {
  const server = bareServer(deps);
  const routes = new Map<string, Set<HTTPMethods>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, methods);
  });
  registerRoutes(server, deps);
  // Loaded after the routes, and a copy of them, since each of these is a route itself.
  server.register(async (rest) => {
    for (const [url, methods] of [...routes]) refuseOtherMethods(rest, url, methods);
  });
  return server;
}

function refuseOtherMethods(
  server: FastifyInstance,
  url: string,
  methods: ReadonlySet<HTTPMethods>,
): void {
  const allow = [...methods].sort().join(', ');
  server.route({
    url,
    method: server.supportedMethods.filter((method) => !methods.has(method)),
    onRequest: async (_request, reply) => {
      reply.header('allow', allow);
      throw new AppError('method_not_allowed');
    },
    handler: () => {},
  });
}
