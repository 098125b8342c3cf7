import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { routerPath } from '../router-path.ts';
import { sendAnswer } from '../server/answer.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { type RawBody, readBody } from '../server/read-body.ts';
import { basicGate } from './auth/basic-gate.ts';
import { FailedTries } from './auth/failed-tries.ts';
import type { DisputesDeps } from './disputes-deps.ts';
import type { DisputesCall, StreamedEndpoint, WholeEndpoint } from './endpoint.ts';
import { disputesEndpoints } from './endpoints.ts';
import { errorAnswer } from './error-answer.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The Content-Type as it came. */
    givenContentType: string | undefined;
  }
}

/** Adds what merchants call: each behind the gate, its body read in its own way. */
export function merchantCalls(server: FastifyInstance, deps: DisputesDeps): void {
  server.decorateRequest('disputesMerchantId', null);
  server.decorateRequest('givenContentType', undefined);
  const gate = basicGate({
    authenticate: (merchantId, password) => deps.authenticate(merchantId, password),
    failedTries: new FailedTries(),
    clock: deps.clock,
  });
  const options = { onRequest: [gate, nameless] };
  server.register(async (child) => {
    child.removeAllContentTypeParsers();
    child.addContentTypeParser('*', (_request, payload, done) => {
      readBody(payload, limits.requestBodyBytes, (body) => done(null, body));
    });
    for (const endpoint of disputesEndpoints) {
      if (endpoint.kind !== 'whole') continue;
      const { method } = endpoint;
      for (const url of endpoint.paths.map(routerPath)) {
        child.route({ method, url, ...options, handler: wholeHandler(deps, endpoint) });
      }
    }
  });
  server.register(async (child) => {
    child.removeAllContentTypeParsers();
    child.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
    for (const endpoint of disputesEndpoints) {
      if (endpoint.kind !== 'streamed') continue;
      const { method } = endpoint;
      for (const url of endpoint.paths.map(routerPath)) {
        child.route({ method, url, ...options, handler: streamedHandler(deps, endpoint) });
      }
    }
  });
}

/** The framework would refuse a type that is none; the endpoints judge it themselves. */
async function nameless(request: FastifyRequest): Promise<void> {
  const { headers } = request.raw;
  request.givenContentType = headers['content-type'];
  headers['content-type'] = 'application/octet-stream';
}

type Handler = (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply>;

function wholeHandler(deps: DisputesDeps, endpoint: WholeEndpoint): Handler {
  return async (request, reply) => {
    const body = request.body as RawBody | undefined;
    return sendAnswer(reply, await endpoint.answer(callOf(deps, request), body));
  };
}

/**
 * Answers are buffered without bound but the endpoint's own: a client that reads nothing before it
 * has sent everything would else wait for us as we for it.
 */
function streamedHandler(deps: DisputesDeps, endpoint: StreamedEndpoint): Handler {
  return async (request, reply) => {
    const body = request.body as IncomingMessage | undefined;
    const answer = endpoint.answer(callOf(deps, request), body);
    if ('refusal' in answer) return sendAnswer(reply, answer.refusal);
    reply.header('request-id', request.id);
    reply.header('cache-control', 'no-store');
    reply.header('content-type', 'application/x-ndjson');
    return reply.send(Readable.from(answer.texts, { highWaterMark: limits.batchRows }));
  };
}

function callOf(deps: DisputesDeps, request: FastifyRequest): DisputesCall {
  const merchantId = request.disputesMerchantId;
  invariant(merchantId !== null, 'a handler runs behind the gate');
  return {
    api: deps.analytics,
    disputes: deps.disputes,
    answers: deps.answers,
    now: deps.clock.now(),
    merchantId,
    path: request.params as Readonly<Record<string, string>>,
    query: request.query as Readonly<Record<string, unknown>>,
    contentType: request.givenContentType,
    accept: request.headers.accept,
    ifNoneMatch: request.headers['if-none-match'],
    reportFailure(error) {
      const route = request.routeOptions.url ?? 'unmatched';
      const fields = { request_id: request.id, merchant_id: merchantId, route };
      deps.log.error({ ...fields, error: errorForLog(error) }, 'a row of a batch failed');
      return (JSON.parse(errorAnswer(error).body) as { readonly detail: string }).detail;
    },
  };
}
