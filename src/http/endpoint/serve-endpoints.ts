import type { FastifyInstance, FastifySchema } from 'fastify';
import { invariant } from '../../domain/errors.ts';
import { routerPath } from '../router-path.ts';
import { type Answer, sendAnswer } from '../server/answer.ts';
import { type Asked, type Endpoint, routeOf } from './define-endpoint.ts';
import { type AnyCaller, type Exchange, exchangeOf, type Stage } from './exchange.ts';
import { writeBySchema } from './write-by-schema.ts';

/** What a request asks, or the refusal of it. */
export type Reading =
  | { readonly kind: 'asked'; readonly asked: Asked }
  | { readonly kind: 'refused'; readonly answer: Answer };

/** How one API serves: what differs between them. */
export interface ServedApi<Sender extends AnyCaller, Context> {
  readonly endpoints: readonly Endpoint<Context>[];
  /** Around every request, the first one outermost: credentials first, then what needs the caller. */
  readonly stages: readonly Stage<Sender>[];
  /** Compiles the check of an endpoint's requests. Its faults are refused in the API's words. */
  compile(endpoint: Endpoint<Context>): (exchange: Exchange<Sender>) => Promise<Reading>;
  /** What an endpoint is given beside the request. */
  context(exchange: Exchange<Sender>): Context;
  /** Whether answers with `content` are written by the endpoints' schemas. */
  readonly writesBySchema?: boolean;
}

/**
 * Adds an API's endpoints to a server. Every request of every API goes this one way: its stages in
 * their order, then the check of its parts, then the endpoint. What is to hold for all requests is a
 * stage. Errors go to the server's error handler, the API's own error mapper.
 */
export function serveEndpoints<Sender extends AnyCaller, Context>(
  server: FastifyInstance,
  api: ServedApi<Sender, Context>,
): void {
  if (!server.hasRequestDecorator('exchange')) {
    server.decorateRequest('exchange', null);
    // Bodies are read by the endpoints' checks, from the request itself.
    server.addContentTypeParser('*', (_request, _payload, done) => done(null, undefined));
  }
  server.setSerializerCompiler(writeBySchema);
  for (const endpoint of api.endpoints) {
    const answer = pipeline(api, endpoint);
    const of = { endpoint: endpoint as Endpoint, route: routeOf(endpoint) };
    for (const path of [endpoint.path, ...(endpoint.aliases ?? [])]) {
      server.route({
        method: endpoint.method === 'GET' ? ['GET', 'HEAD'] : endpoint.method,
        url: routerPath(path),
        ...(api.writesBySchema === true && { schema: responseSchemas(endpoint) }),
        config: { hasStages: api.stages.length > 0, isProbe: endpoint.isProbe === true },
        onRequest: (request, reply, done) => {
          request.exchange = exchangeOf(request, reply, of);
          done();
        },
        handler: async ({ exchange }, reply) => {
          invariant(exchange !== null, 'an endpoint has its exchange from the beginning');
          return sendAnswer(reply, await answer(exchange as Exchange<Sender>));
        },
      });
    }
  }
}

function pipeline<Sender extends AnyCaller, Context>(
  api: ServedApi<Sender, Context>,
  endpoint: Endpoint<Context>,
): (exchange: Exchange<Sender>) => Promise<Answer> {
  // At the first request: compiling all of them would be a fifth of a start.
  let read: ReturnType<typeof api.compile> | undefined;
  const last = async (exchange: Exchange<Sender>): Promise<Answer> => {
    read ??= api.compile(endpoint);
    const reading = await read(exchange);
    if (reading.kind === 'refused') return reading.answer;
    return endpoint.answer(reading.asked, api.context(exchange));
  };
  return api.stages.reduceRight<(exchange: Exchange<Sender>) => Promise<Answer>>(
    (next, stage) => (exchange) => stage(exchange, () => next(exchange)),
    last,
  );
}

/** The shapes by which answers with `content` are written: what they do not declare stays inside. */
function responseSchemas({ answers = {} }: Pick<Endpoint, 'answers'>): FastifySchema {
  const shapes = Object.entries(answers).filter(([, answer]) => !('schema' in answer));
  return { response: Object.fromEntries(shapes) };
}
