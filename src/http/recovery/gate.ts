import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Answer, sendAnswer } from '../server/answer.ts';
import { isJsonMediaType } from '../server/media-type.ts';
import type { RateLimiter } from '../server/rate-limiter.ts';
import { forbidden, tooManyRequests, unsupportedMediaType } from './answers.ts';
import type { Caller } from './caller.ts';
import { type Endpoint, routeOf } from './endpoint.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The merchant, once the request has passed the gate; null before and on unknown paths. */
    recoveryCaller: Caller | null;
    /** The endpoint's method and path; null on unknown paths. */
    recoveryRoute: string | null;
  }
}

export interface GateDeps {
  authenticate(apiKey: string): Promise<Caller | undefined>;
  readonly limiter: RateLimiter;
  readonly now: () => Date;
}

/** Longest API key that is looked up; ours have below 64 characters. */
const apiKeyLength = 255;

/**
 * What comes before a request's body is read, in this order: the key (403), the merchant's rate
 * (429), the media type (415). Unknown paths never get here.
 */
export function gate(
  deps: GateDeps,
  endpoint: Endpoint,
): (request: FastifyRequest, reply: FastifyReply) => Promise<unknown> {
  const route = routeOf(endpoint);
  return async (request, reply) => {
    request.recoveryRoute = route;
    const caller = await callerOf(deps, request.raw.headers['x-api-key']);
    if (caller === undefined) return sendAnswer(reply, forbidden);
    request.recoveryCaller = caller;
    if (endpoint.method === 'GET') return undefined;
    const refusal =
      rateRefusal(deps, caller, reply) ?? mediaTypeRefusal(request, endpoint.bodyIsOptional);
    return refusal === undefined ? undefined : sendAnswer(reply, refusal);
  };
}

async function callerOf(
  deps: GateDeps,
  apiKey: string | string[] | undefined,
): Promise<Caller | undefined> {
  if (typeof apiKey !== 'string' || apiKey === '' || apiKey.length > apiKeyLength) return undefined;
  return deps.authenticate(apiKey);
}

function rateRefusal(deps: GateDeps, caller: Caller, reply: FastifyReply): Answer | undefined {
  const verdict = deps.limiter.take(caller.merchantId, deps.now());
  reply.header('ratelimit-policy', verdict.policy);
  reply.header('ratelimit', verdict.rateLimit);
  return verdict.isAllowed ? undefined : tooManyRequests(verdict.resetSeconds);
}

function mediaTypeRefusal(request: FastifyRequest, bodyIsOptional: boolean): Answer | undefined {
  const { headers } = request.raw;
  const mediaType = headers['content-type'];
  if (isJsonMediaType(mediaType)) {
    // Parameters change nothing, so the framework's own reading of them may not differ.
    headers['content-type'] = 'application/json';
    return undefined;
  }
  const hasBody =
    headers['transfer-encoding'] !== undefined || (headers['content-length'] ?? '0') !== '0';
  return bodyIsOptional && mediaType === undefined && !hasBody ? undefined : unsupportedMediaType;
}
