import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Random } from '../../domain/random.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { IdempotencyStore } from '../../recovery/idempotency.ts';
import { addDocs } from '../docs/add-docs.ts';
import { routerPath } from '../router-path.ts';
import { sendAnswer } from '../server/answer.ts';
import { createHttpServer } from '../server/create-http-server.ts';
import type { HttpLog } from '../server/http-log.ts';
import { RateLimiter } from '../server/rate-limiter.ts';
import { readBody } from '../server/read-body.ts';
import { uuidSource } from '../server/uuid-source.ts';
import { answerGet } from './answer-get.ts';
import { answerPost, type PostDeps } from './answer-post.ts';
import { transportAnswers } from './answers.ts';
import type { Caller } from './caller.ts';
import type { Endpoint } from './endpoint.ts';
import { endpoints } from './endpoints.ts';
import { errorAnswer } from './error-answer.ts';
import { gate } from './gate.ts';
import { recoveryDocs } from './recovery-docs.ts';
import { type RequestSample, reportRequest } from './report-request.ts';

export interface RecoveryServerDeps {
  readonly api: RecoveryApi;
  /** Whose key this is; undefined for one that is unknown, revoked or expired. */
  authenticate(apiKey: string): Promise<Caller | undefined>;
  readonly idempotency: IdempotencyStore;
  /** POST requests a merchant may make in a minute, counted by each process for itself. */
  readonly rateLimit: { readonly perMinute: number };
  readonly clock: Clock;
  readonly random: Random;
  readonly log: HttpLog;
  /** The document of what merchants host, for the reference page. */
  readonly merchantOpenApi: () => object;
  /** Told of every request that was answered. */
  readonly onRequest?: (sample: RequestSample) => void;
}

/** The server of the recovery API. It listens when the caller says so. */
export function createRecoveryServer(deps: RecoveryServerDeps): FastifyInstance {
  const newUuid = uuidSource(deps.random);
  const app = createHttpServer({ answers: transportAnswers, newUuid });
  app.decorateRequest('recoveryCaller', null);
  app.decorateRequest('recoveryRoute', null);
  app.addContentTypeParser('application/json', (_request, payload, done) => {
    readBody(payload, limits.requestBodyBytes, (body) => done(null, body));
  });
  app.setErrorHandler((error: FastifyError, request, reply) =>
    sendAnswer(reply, errorAnswer(deps.log, error, request)),
  );
  app.addHook('onResponse', (request, reply, done) => {
    reportRequest(deps, request, reply);
    done();
  });
  const gateDeps = {
    authenticate: (apiKey: string) => deps.authenticate(apiKey),
    limiter: new RateLimiter(deps.rateLimit.perMinute),
    now: () => deps.clock.now(),
  };
  for (const endpoint of endpoints) {
    app.route({
      method: endpoint.method,
      url: routerPath(endpoint.path),
      onRequest: gate(gateDeps, endpoint),
      handler: handlerOf({ ...deps, newUuid }, endpoint),
    });
  }
  addDocs(app, recoveryDocs(deps.merchantOpenApi));
  return app;
}

function handlerOf(
  deps: PostDeps,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<FastifyReply> {
  const answer =
    endpoint.method === 'GET' ? answerGet(deps.api, endpoint) : answerPost(deps, endpoint);
  return async (request, reply) => {
    const caller = request.recoveryCaller;
    invariant(caller !== null, 'a handler runs behind the gate');
    return sendAnswer(reply, await answer(request, caller));
  };
}
