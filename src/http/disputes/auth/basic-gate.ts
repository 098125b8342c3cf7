import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Clock } from '../../../domain/clock.ts';
import { sendAnswer } from '../../server/answer.ts';
import { detailAnswer } from '../answers.ts';
import type { FailedTries } from './failed-tries.ts';
import { readBasic } from './read-basic.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant whose credentials the request carries; null before the gate. */
    disputesMerchantId: string | null;
  }
}

export interface BasicGateDeps {
  /** Whether this is a valid password of the merchant. */
  authenticate(merchantId: string, password: string): Promise<boolean>;
  readonly failedTries: FailedTries;
  readonly clock: Clock;
}

/** The same words for every reason: which part was wrong is nobody's to know. */
const notAuthenticated = detailAnswer(401, 'Not authenticated', {
  'www-authenticate': 'Basic',
});

function tooManyTries(waitSeconds: number) {
  const detail = `Too many failed tries. Try again in ${waitSeconds} s.`;
  return detailAnswer(429, detail, { 'retry-after': waitSeconds.toString() });
}

/** Lets a request with valid credentials pass, before its body is read. */
export function basicGate(
  deps: BasicGateDeps,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  return async (request, reply) => {
    const credentials = readBasic(request.raw.headers.authorization);
    if (credentials === undefined) return sendAnswer(reply, notAuthenticated);
    const source = request.socket.remoteAddress ?? '';
    const waitSeconds = deps.failedTries.waitSeconds(source, credentials, deps.clock.now());
    if (waitSeconds !== undefined) return sendAnswer(reply, tooManyTries(waitSeconds));
    if (!(await deps.authenticate(credentials.username, credentials.password))) {
      deps.failedTries.failed(source, credentials, deps.clock.now());
      return sendAnswer(reply, notAuthenticated);
    }
    deps.failedTries.succeeded(credentials);
    request.disputesMerchantId = credentials.username;
    return undefined;
  };
}
