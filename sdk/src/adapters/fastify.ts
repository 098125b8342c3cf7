import type { FetchHandler } from '../fetch-handler.ts';
import { fetchRequest } from './node.ts';

/** What is needed of a FastifyInstance. */
export interface FastifyLike {
  removeAllContentTypeParsers(): void;
  addContentTypeParser(
    contentType: string,
    options: { parseAs: 'buffer' },
    parser: (
      request: unknown,
      body: Uint8Array,
      done: (error: Error | null, body?: unknown) => void,
    ) => void,
  ): unknown;
  all(
    path: string,
    handler: (request: FastifyRequestLike, reply: FastifyReplyLike) => unknown,
  ): unknown;
}

export interface FastifyRequestLike {
  readonly method: string;
  readonly originalUrl: string;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly body: unknown;
}

export interface FastifyReplyLike {
  code(status: number): unknown;
  header(name: string, value: string): unknown;
  send(body: Uint8Array): unknown;
}

/**
 * Handlers as a plugin of Fastify: `app.register(fastifyRoutes({ '/webhooks/retry-results': handler }))`.
 * Bodies stay raw within the plugin only; Fastify's own parsers serve the rest of the app. Do not wrap
 * it in fastify-plugin, which would let it out.
 */
export function fastifyRoutes(
  routes: Readonly<Record<string, FetchHandler>>,
): (app: FastifyLike) => Promise<void> {
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => {
      done(null, body);
    });
    for (const [path, handler] of Object.entries(routes)) {
      app.all(path, async (request, reply) => {
        const { method, originalUrl: url, headers } = request;
        const body = request.body instanceof Uint8Array ? request.body : [];
        const answer = await handler(fetchRequest({ method, url, headers }, new Uint8Array(body)));
        reply.code(answer.status);
        answer.headers.forEach((value, name) => {
          reply.header(name, value);
        });
        return reply.send(new Uint8Array(await answer.arrayBuffer()));
      });
    }
  };
}
