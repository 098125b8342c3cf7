import { invariant } from '../../domain/errors.ts';
import { type Exchange, hasBody, type Stage } from '../endpoint/exchange.ts';
import { isJsonMediaType } from '../server/media-type.ts';
import type { RateLimiter } from '../server/rate-limiter.ts';
import { forbidden, tooManyRequests, unsupportedMediaType } from './answers.ts';
import type { Caller } from './caller.ts';

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
export function gate(deps: GateDeps): readonly Stage<Caller>[] {
  return [authenticate(deps), limitRate(deps), requireJson];
}

function authenticate(deps: GateDeps): Stage<Caller> {
  return async (exchange, next) => {
    const caller = await callerOf(deps, exchange.request.raw.headers['x-api-key']);
    if (caller === undefined) return forbidden;
    exchange.caller = caller;
    return next();
  };
}

async function callerOf(
  deps: GateDeps,
  apiKey: string | string[] | undefined,
): Promise<Caller | undefined> {
  if (typeof apiKey !== 'string' || apiKey === '' || apiKey.length > apiKeyLength) return undefined;
  return deps.authenticate(apiKey);
}

function limitRate(deps: GateDeps): Stage<Caller> {
  return async ({ request, reply, caller }, next) => {
    if (request.method === 'GET') return next();
    invariant(caller !== undefined, 'rates belong to callers, who are known by now');
    const verdict = deps.limiter.take(caller.merchantId, deps.now());
    reply.header('ratelimit-policy', verdict.policy);
    reply.header('ratelimit', verdict.rateLimit);
    return verdict.isAllowed ? next() : tooManyRequests(verdict.resetSeconds);
  };
}

const requireJson: Stage<Caller> = async (exchange, next) =>
  exchange.request.method === 'GET' || isJsonOrNothing(exchange) ? next() : unsupportedMediaType;

function isJsonOrNothing(exchange: Exchange): boolean {
  const { contentType, endpoint } = exchange;
  if (isJsonMediaType(contentType)) return true;
  return endpoint.body?.isOptional === true && contentType === undefined && !hasBody(exchange);
}
