import type { FastifyInstance } from 'fastify';
import { AppError, invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import { type Bounds, createBounds } from '../bounds/bounds.ts';
import { limitRate } from '../bounds/limit-rate.ts';
import { workInLane } from '../bounds/work-in-lane.ts';
import { compileQuery } from '../check-query.ts';
import { compileSchema } from '../check-schema.ts';
import { addDocs } from '../docs/add-docs.ts';
import { compileParts, type PartRules } from '../endpoint/compile-parts.ts';
import type { Exchange } from '../endpoint/exchange.ts';
import { requireScope } from '../endpoint/require-scope.ts';
import { serveEndpoints } from '../endpoint/serve-endpoints.ts';
import { passOn } from '../moved/pass-on.ts';
import { sendAnswer } from '../server/answer.ts';
import { createHttpServer } from '../server/create-http-server.ts';
import { errorForLog } from '../server/error-for-log.ts';
import { otherMethodsOf } from '../server/refuse-other-methods.ts';
import { uuidSource } from '../server/uuid-source.ts';
import { tooManyRequests, transportAnswers } from './answers.ts';
import { basicGate } from './auth/basic-gate.ts';
import { FailedTries } from './auth/failed-tries.ts';
import type { DisputesCaller, DisputesContext } from './caller.ts';
import { faultItem } from './disputes/fault-item.ts';
import type { DisputesDeps } from './disputes-deps.ts';
import { disputesEndpoints } from './endpoints.ts';
import { errorAnswer } from './error-answer.ts';
import { pspWebhook } from './psp-webhook.ts';
import { requireJson } from './require-json.ts';
import { strangersTurn } from './strangers-turn.ts';
import { validationAnswer } from './validation-answer.ts';

/**
 * The server of the disputes listener, which PSPs and merchants' checkouts call. It speaks in FastAPI's
 * words: each refusal is a `detail`. It listens when the caller says so.
 */
export function createDisputesServer(deps: DisputesDeps): FastifyInstance {
  const bounds = createBounds(deps.bounds, deps.bounds.settings);
  const newUuid = uuidSource(deps.random);
  const server = createHttpServer({
    answers: transportAnswers,
    newUuid,
    bounds,
    hosts: deps.hosts,
    proxies: deps.proxies,
  });
  server.setErrorHandler((error, request, reply) => {
    const answer = errorAnswer(error);
    if (answer.status >= 500) {
      const route = request.routeOptions.url ?? 'unmatched';
      const fields = { request_id: request.id, method: request.method, route };
      deps.log.error({ ...fields, error: errorForLog(error) }, 'a request failed');
    }
    return sendAnswer(reply, answer);
  });
  const otherMethods = otherMethodsOf(server);
  serve(server, deps, bounds);
  addDocs(server, {
    title: 'Recoup disputes API',
    securityScheme: 'basic',
    documents: [
      {
        title: 'Disputes API',
        file: 'openapi.json',
        make: async () => (await import('./disputes-open-api.ts')).disputesOpenApi(),
        isOfThisServer: true,
      },
    ],
  });
  otherMethods.refuse();
  return server;
}

/** What PSPs call, which sign what they send, and what merchants call with their credentials. */
function serve(server: FastifyInstance, deps: DisputesDeps, bounds: Bounds): void {
  const passingOn = deps.passingOn && {
    ...deps.passingOn,
    api: 'disputesUrl' as const,
    bodyBytes: limits.batchBytes,
    tooLarge: errorAnswer(new AppError('payload_too_large')),
    log: deps.log,
  };
  serveEndpoints<DisputesCaller, unknown>(server, {
    endpoints: [pspWebhook(deps)],
    stages: [strangersTurn(bounds), passOn(passingOn, webhookMerchant)],
    // PSPs know no lists of faults.
    compile: (endpoint) =>
      compileParts({ ...partRules, refuse: () => errorAnswer(malformed) }, endpoint),
    context: () => undefined,
  });
  const gate = basicGate({
    authenticate: (merchantId, password) => deps.authenticate(merchantId, password),
    failedTries: new FailedTries(),
    strangers: bounds.strangers,
    clock: deps.clock,
  });
  serveEndpoints<DisputesCaller, DisputesContext>(server, {
    endpoints: disputesEndpoints,
    stages: [
      gate,
      passOn(passingOn),
      limitRate({ bounds, clock: deps.clock }, tooManyRequests),
      requireScope((because) => errorAnswer(new AppError('scope_missing', because))),
      requireJson,
      workInLane(bounds, tooManyRequests),
      ({ request }, next) => deps.actAs({ actor: 'merchant', address: request.address }, next),
    ],
    compile: (endpoint) => compileParts(partRules, endpoint),
    context: (exchange) => contextOf(deps, exchange),
  });
}

/** Whose webhook it is stands in its address. */
function webhookMerchant({ request }: Exchange<DisputesCaller>): string | undefined {
  return (request.params as { readonly merchant_id?: string }).merchant_id;
}

const malformed = new AppError('psp_webhook_malformed', 'The address names no account.');

const partRules: PartRules = {
  bodyBytes: limits.requestBodyBytes,
  // What an id in a path cannot be is the same for all APIs.
  checkPath: () => () => [],
  checkQuery: compileQuery,
  checkBody: compileSchema,
  refuse: (place, faults) => validationAnswer(faults.map((fault) => faultItem(place, fault))),
  refuseBody(kind) {
    if (kind === 'too_large') throw new AppError('payload_too_large');
    return transportAnswers.malformed;
  },
};

function contextOf(deps: DisputesDeps, exchange: Exchange<DisputesCaller>): DisputesContext {
  const { caller, request } = exchange;
  invariant(caller !== undefined, 'an endpoint is behind the gate');
  const { merchantId } = caller;
  return {
    api: deps.analytics,
    disputes: deps.disputes,
    answers: deps.answers,
    now: deps.clock.now(),
    merchantId,
    reportFailure(error) {
      const route = request.routeOptions.url ?? 'unmatched';
      const fields = { request_id: request.id, merchant_id: merchantId, route };
      deps.log.error({ ...fields, error: errorForLog(error) }, 'a row of a batch failed');
      return (JSON.parse(errorAnswer(error).body) as { readonly detail: string }).detail;
    },
  };
}
