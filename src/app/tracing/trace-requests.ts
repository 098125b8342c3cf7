import type { FastifyInstance, FastifyRequest } from 'fastify';
import type { OpenSpan, Tracing } from './tracing.ts';

const serverFault = 500;

/**
 * One span for each request of a server, below the caller's where it sends a `traceparent`. It is named by the
 * route, never by the path: paths hold ids and searches.
 */
export function traceRequests(
  tracing: Pick<Tracing, 'open'> | undefined,
  server: FastifyInstance,
  api: string,
): void {
  if (tracing === undefined) return;
  const open = new WeakMap<FastifyRequest, OpenSpan>();
  server.addHook('onRequest', (request, _reply, done) => {
    const route = request.routeOptions.url ?? 'unmatched';
    const { traceparent } = request.headers;
    const span = tracing.open({
      name: `${request.method} ${route}`,
      kind: 'server',
      traceparent: typeof traceparent === 'string' ? traceparent : undefined,
      attributes: {
        'http.request.method': request.method,
        'http.route': route,
        'recoup.api': api,
        'recoup.request_id': request.id,
      },
    });
    open.set(request, span);
    span.within(done);
  });
  const end = (request: FastifyRequest, status: number | undefined) => {
    const span = open.get(request);
    open.delete(request);
    if (status === undefined) span?.fail('the caller left');
    else span?.note({ 'http.response.status_code': status });
    if (status !== undefined && status >= serverFault) span?.fail(`status ${status}`);
    span?.end();
  };
  server.addHook('onResponse', async (request, reply) => end(request, reply.statusCode));
  server.addHook('onRequestAbort', async (request) => end(request, undefined));
}
