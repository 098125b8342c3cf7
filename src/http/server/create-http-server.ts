import { type FastifyInstance, fastify } from 'fastify';
import { minuteMs, secondMs } from '../../domain/clock.ts';
import type { Bounds } from '../bounds/bounds.ts';
import { guardServer } from '../bounds/guard-server.ts';
import { senderOf } from '../proxies/sender-of.ts';
import { trustedProxies } from '../proxies/trusted-proxies.ts';
import { sendAnswer } from './answer.ts';
import { answerClientError } from './answer-client-error.ts';
import { answerOnSocket } from './answer-on-socket.ts';
import { createKnownHosts } from './known-hosts.ts';
import { requestIdOf } from './request-id.ts';
import { isFromAnotherSite } from './same-origin.ts';
import type { TransportAnswers } from './transport-answers.ts';

/**
 * Time-outs against clients that send a byte now and then. Bodies are at most 64 KiB, so a whole
 * request in 20 s asks for 26 kbit/s, and a PSP's webhook of 1 MiB for 420 kbit/s; a silent connection is dropped after a minute.
 */
const timeouts = {
  headersTimeout: 10 * secondMs,
  requestTimeout: 20 * secondMs,
  connectionTimeout: minuteMs,
  // Longer than the 60 s for which load balancers keep idle connections, so that they close first.
  keepAliveTimeout: 65 * secondMs,
  connectionsCheckingInterval: 2 * secondMs,
};

/** Largest head of a request; also the longest path parameter, which no head can exceed. */
const headBytes = 16 * 1024;

export interface HttpServerOptions {
  readonly answers: TransportAnswers;
  readonly newUuid: () => string;
  readonly bounds: Bounds;
  /** Names by which this server may be asked, beside loopback and addresses in digits. */
  readonly hosts: readonly string[];
  /** Addresses and networks of proxies whose word of the sender is believed; absent: of none. */
  readonly proxies?: readonly string[] | undefined;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** Who sends it, for limits and the audit log: behind the trusted proxies. */
    readonly address: string;
    /** Whether a trusted proxy says that it came over TLS. */
    readonly isTls: boolean;
  }
}

/**
 * A server that speaks only in the given answers, down to what Node and the framework would answer
 * themselves. Routes are matched to the letter: a trailing slash, a doubled one or another case is
 * another path, and OPTIONS is an unknown method. The framework's own body parsers are gone.
 */
export function createHttpServer(options: HttpServerOptions): FastifyInstance {
  const { answers, newUuid, bounds } = options;
  const app = fastify({
    ...timeouts,
    http: {
      headersTimeout: timeouts.headersTimeout,
      connectionsCheckingInterval: timeouts.connectionsCheckingInterval,
      maxHeaderSize: headBytes,
      // Node would answer with an empty body; refuseHostless answers instead.
      requireHostHeader: false,
    },
    routerOptions: { maxParamLength: headBytes },
    exposeHeadRoutes: false,
    return503OnClosing: false,
    genReqId: (request) => requestIdOf(request.headers['request-id'], newUuid),
    frameworkErrors: (_error, _request, reply) => sendAnswer(reply, answers.notFound),
    clientErrorHandler: answerClientError(answers, newUuid),
  });
  const isTrusted = trustedProxies(options.proxies ?? []);
  app.decorateRequest('address', {
    getter() {
      return senderOf(this.raw, isTrusted).address;
    },
  });
  app.decorateRequest('isTls', {
    getter() {
      return senderOf(this.raw, isTrusted).isTls;
    },
  });
  guardServer(app, { bounds, refuse: answers.tooMany, isTrusted });
  app.removeAllContentTypeParsers();
  const isOurHost = createKnownHosts(options.hosts);
  app.addHook('onRequest', (request, reply, done) => {
    const { host } = request.raw.headers;
    if (host === undefined && request.raw.httpVersion === '1.1') {
      sendAnswer(reply, answers.malformed);
    } else if (host !== undefined && !isOurHost(host)) {
      sendAnswer(reply, answers.wrongHost);
    } else if (isFromAnotherSite(request)) {
      sendAnswer(reply, answers.crossSite);
    } else if (request.is404 || hasEmptyParameter(request.params)) {
      sendAnswer(reply, answers.notFound);
    } else {
      done();
    }
  });
  // A connection that is busy when the server closes would else idle for a minute after its answer.
  app.addHook('preClose', async () => {
    app.server.keepAliveTimeout = 1;
    app.server.keepAliveTimeoutBuffer = 0;
  });
  app.server.on('connect', (_request, socket) => {
    // Node has taken its own listeners off; without one an error would end the process.
    socket.on('error', () => socket.destroy());
    answerOnSocket(socket, answers.notFound, newUuid());
  });
  // An Expect header other than 100-continue may be ignored (RFC 9110, 10.1.1).
  app.server.on('checkExpectation', (request, response) => {
    app.server.emit('request', request, response);
  });
  return app;
}

/** The router takes `/payments/` for `/payments/{id}` with an empty id. */
function hasEmptyParameter(parameters: unknown): boolean {
  const values = parameters as Readonly<Record<string, string>>;
  for (const name in values) if (values[name] === '') return true;
  return false;
}
