import type { FastifyError, FastifyInstance } from 'fastify';
import type { Clock } from '../../domain/clock.ts';
import { invariant } from '../../domain/errors.ts';
import { limits } from '../../domain/limits.ts';
import type { Random } from '../../domain/random.ts';
import type { RecoveryApi } from '../../recovery/api.ts';
import type { IdempotencyStore } from '../../recovery/idempotency.ts';
import type { StopMessages } from '../../recovery/messages/stop-messages.ts';
import { type BoundsDeps, type BoundsSettings, createBounds } from '../bounds/bounds.ts';
import { compileQuery } from '../check-query.ts';
import { compileSchema } from '../check-schema.ts';
import { addDocs } from '../docs/add-docs.ts';
import { compileParts, type PartRules } from '../endpoint/compile-parts.ts';
import { serveEndpoints } from '../endpoint/serve-endpoints.ts';
import type { PassingOn } from '../moved/pass-on.ts';
import { type Answer, sendAnswer } from '../server/answer.ts';
import { createHttpServer } from '../server/create-http-server.ts';
import type { HttpLog } from '../server/http-log.ts';
import { uuidSource } from '../server/uuid-source.ts';
import { bodyTooLarge, invalidRequest, transportAnswers } from './answers.ts';
import type { Caller, RecoveryContext } from './caller.ts';
import { addUnsubscribe } from './customers/unsubscribe.ts';
import { endpoints } from './endpoints.ts';
import { errorAnswer } from './error-answer.ts';
import { gate } from './gate.ts';
import { recoveryDocs } from './recovery-docs.ts';
import { type RequestSample, reportRequest } from './report-request.ts';
import { runUnderKey } from './run-under-key.ts';

export interface RecoveryServerDeps {
  readonly api: RecoveryApi;
  /** Whose key this is; undefined for one that is unknown, revoked or expired. */
  authenticate(apiKey: string): Promise<Caller | undefined>;
  readonly idempotency: IdempotencyStore;
  readonly bounds: BoundsDeps & { readonly settings: BoundsSettings };
  /** Names by which this server may be asked, beside loopback and addresses in digits. */
  readonly hosts: readonly string[];
  /** Addresses and networks of proxies whose word of the sender is believed. */
  readonly proxies?: readonly string[];
  readonly clock: Clock;
  readonly random: Random;
  /** For merchants that have moved to another cell. Absent: every merchant is here. */
  readonly passingOn?: PassingOn;
  readonly log: HttpLog;
  /** The document of what merchants host, for the reference page. */
  readonly merchantOpenApi: () => object;
  /** Takes a customer's word, by the link of a message, that they want no more. */
  readonly stopMessages: StopMessages;
  /** How the dashboard is reached. */
  operatorUrl(): string;
  /** Told of every request that was answered. */
  readonly onRequest?: (sample: RequestSample) => void;
}

/** The server of the recovery API. It listens when the caller says so. */
export function createRecoveryServer(deps: RecoveryServerDeps): FastifyInstance {
  const newUuid = uuidSource(deps.random);
  const bounds = createBounds(deps.bounds, deps.bounds.settings);
  const app = createHttpServer({
    answers: transportAnswers,
    newUuid,
    bounds,
    hosts: deps.hosts,
    proxies: deps.proxies,
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
    bounds,
    clock: deps.clock,
    passingOn: deps.passingOn && {
      ...deps.passingOn,
      api: 'recoveryUrl' as const,
      bodyBytes: limits.requestBodyBytes,
      tooLarge: tooLarge(),
      log: deps.log,
    },
  };
  serveEndpoints<Caller, RecoveryContext>(app, {
    endpoints,
    stages: [...gate(gateDeps), runUnderKey(deps)],
    compile: (endpoint) => compileParts(partRules, endpoint),
    context({ caller, receiptUuid = newUuid() }) {
      invariant(caller !== undefined, 'an endpoint is behind the gate');
      return { api: deps.api, caller, receiptUuid, operatorUrl: () => deps.operatorUrl() };
    },
  });
  addUnsubscribe(app, deps);
  addDocs(app, recoveryDocs(deps.merchantOpenApi));
  return app;
}

const partRules: PartRules = {
  bodyBytes: limits.requestBodyBytes,
  // A path that can name nothing is a 404 in the words of what it should name.
  checkPath: () => () => [],
  checkQuery: compileQuery,
  checkBody: compileSchema,
  refuse: (_place, faults) => invalidRequest(faults),
  refuseBody: (kind) => (kind === 'too_large' ? tooLarge() : transportAnswers.malformed),
};

function tooLarge(): Answer {
  return invalidRequest([{ at: 'body', text: bodyTooLarge }]);
}
