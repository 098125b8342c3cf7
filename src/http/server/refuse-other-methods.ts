import type { FastifyInstance, HTTPMethods } from 'fastify';
import { AppError } from '../../domain/errors.ts';

/**
 * Notes the paths of every route that is added from now on. What it gives is to be called when all of
 * them are: each path then refuses its other methods with method_not_allowed and an Allow header.
 */
export function otherMethodsOf(server: FastifyInstance): { refuse(): void } {
  const routes = new Map<string, Set<HTTPMethods>>();
  server.addHook('onRoute', ({ url, method }) => {
    const methods = routes.get(url) ?? new Set();
    for (const each of [method].flat()) methods.add(each);
    routes.set(url, methods);
  });
  return {
    refuse() {
      // Loaded after the routes, and a copy of them, since each of these is a route itself.
      server.register(async (rest) => {
        for (const [url, methods] of [...routes]) refuseOtherMethods(rest, url, methods);
      });
    },
  };
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
