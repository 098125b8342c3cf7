import type { FastifyInstance } from 'fastify';
import { AppError, invariant } from '../domain/errors.ts';
import { limits } from '../domain/limits.ts';
import type { Bounds } from '../http/bounds/bounds.ts';
import { limitRate } from '../http/bounds/limit-rate.ts';
import { isRead, workInLane } from '../http/bounds/work-in-lane.ts';
import { characterFaults } from '../http/check-query.ts';
import { compileParts, type PartRules } from '../http/endpoint/compile-parts.ts';
import { hasBody, type Stage } from '../http/endpoint/exchange.ts';
import { fileMediaType, isFileType } from '../http/endpoint/file-body.ts';
import { serveEndpoints } from '../http/endpoint/serve-endpoints.ts';
import { isJsonMediaType } from '../http/server/media-type.ts';
import { asCaller } from './audit/as-caller.ts';
import { openEndpoints, operatorEndpoints } from './endpoints.ts';
import { errorAnswer, tooManyRequests } from './error-answer.ts';
import { exportEndpoints } from './exports/export-endpoints.ts';
import { createOpenExports } from './exports/open-exports.ts';
import { InvalidRequest } from './invalid-request.ts';
import { createStanding, type Standing } from './live/standing.ts';
import { streamChanges } from './live/stream-changes.ts';
import { refuseMoved } from './merchants/refuse-moved.ts';
import type { OperatorContext, OperatorDeps, ProbeDeps } from './operator-deps.ts';
import { authorize, type OperatorCaller } from './session/authorize.ts';
import { createSession } from './session/create-session.ts';
import { endSession } from './session/end-session.ts';
import { permit } from './session/permit.ts';
import { createPortalSessions, createSessions } from './session/sessions.ts';
import { WrongTokens } from './session/wrong-tokens.ts';
import { signInEndpoints } from './sign-in/sign-in-endpoints.ts';
import { compilePart } from './validate.ts';

/** Adds every endpoint of the operator's server: the open ones, signing in, and those behind the token. */
export function serveOperator(server: FastifyInstance, deps: OperatorDeps, bounds: Bounds): void {
  const door = {
    sessions: createSessions(deps),
    portals: createPortalSessions(deps),
    wrongTokens: new WrongTokens(),
  };
  const standing = createStanding(deps);
  const live = streamChanges(standing);
  const exports = createOpenExports(standing);
  server.addHook('preClose', async () => {
    live.endAll();
    exports.endAll();
  });
  const bare = { ...common, context: () => deps };
  serveProbes(server, deps);
  const signIns = [createSession(deps, door), ...signInEndpoints(deps, door)];
  serveEndpoints(server, { ...bare, endpoints: signIns, stages: [requireJson] });
  serveEndpoints<OperatorCaller, OperatorContext>(server, {
    ...common,
    context: ({ caller }) => {
      invariant(caller !== undefined, 'who asks is known behind the door');
      return { ...deps, caller, exports };
    },
    endpoints: [...operatorEndpoints, ...exportEndpoints, endSession(deps, door), live.endpoint],
    stages: [
      authorize(deps, door),
      asCaller,
      limitRate({ bounds, clock: deps.machine }, tooManyRequests),
      permit,
      requireJson,
      workInLane(bounds, tooManyRequests),
      refuseMoved(deps),
      thenLook(standing),
    ],
  });
}

/** Adds what needs no token: whether the process lives, whether it can work, what it measured. */
export function serveProbes(server: FastifyInstance, deps: ProbeDeps): void {
  serveEndpoints(server, {
    ...common,
    context: () => deps,
    endpoints: openEndpoints,
    stages: [],
  });
}

/** What was changed may have been who may do what: what is open for those is closed with the answer. */
function thenLook(standing: Pick<Standing, 'look'>): Stage<OperatorCaller> {
  return async (exchange, next) => {
    const answer = await next();
    if (!isRead(exchange.request)) await standing.look();
    return answer;
  };
}

const requireJson: Stage = async (exchange, next) => {
  // The body of a read is never looked at.
  if (isRead(exchange.request)) return next();
  const isTaken =
    exchange.endpoint.body?.mediaType === fileMediaType ? isFileType : isJsonMediaType;
  if (hasBody(exchange) && !isTaken(exchange.contentType)) {
    throw new AppError('unsupported_media_type');
  }
  return next();
};

const common = {
  compile: (endpoint: Parameters<typeof compileParts>[1]) => compileParts(partRules, endpoint),
  writesBySchema: true,
};

const partRules: PartRules = {
  bodyBytes: limits.requestBodyBytes,
  checkPath: (schema) => (schema === undefined ? () => [] : compilePart(schema, 'url')),
  checkQuery(schema) {
    const check = compilePart(schema, 'url');
    return (query) => {
      const faults = [...characterFaults(query), ...check(query)];
      return faults.length === 0 ? { kind: 'query', query } : { kind: 'faults', faults };
    };
  },
  checkBody: (schema) => compilePart(schema, 'body'),
  refuse: (_place, faults) => errorAnswer(new InvalidRequest(faults)),
  refuseBody(kind) {
    if (kind === 'too_large') throw new AppError('payload_too_large');
    const action = 'Send it again.';
    throw new AppError('invalid_request', 'The body did not arrive whole.', { action });
  },
};
