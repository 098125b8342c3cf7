import type { Clock } from '../../domain/clock.ts';
import type { Bounds } from '../bounds/bounds.ts';
import { limitRate } from '../bounds/limit-rate.ts';
import { isRead, senderIsGone, workInLane } from '../bounds/work-in-lane.ts';
import { type Exchange, hasBody, type Stage } from '../endpoint/exchange.ts';
import { isGone } from '../endpoint/is-gone.ts';
import { requireScope } from '../endpoint/require-scope.ts';
import { type PassOnDeps, passOn } from '../moved/pass-on.ts';
import { isJsonMediaType } from '../server/media-type.ts';
import { forbidden, scopeMissing, tooManyRequests, unsupportedMediaType } from './answers.ts';
import type { Caller } from './caller.ts';

export interface GateDeps {
  authenticate(apiKey: string): Promise<Caller | undefined>;
  readonly bounds: Bounds;
  readonly clock: Clock;
  /** Absent: every merchant is here. */
  readonly passingOn?: PassOnDeps | undefined;
}

/** Longest API key that is looked up; ours have below 64 characters. */
const apiKeyLength = 255;

/**
 * What comes before a request's body is read, in this order: the key (403), where the merchant is, the merchant's rate
 * (429), what the key is for (403), the media type (415), the merchant's turn. Unknown paths never get here.
 */
export function gate(deps: GateDeps): readonly Stage<Caller>[] {
  return [
    authenticate(deps),
    passOn(deps.passingOn),
    limitRate(deps, tooManyRequests),
    requireScope(scopeMissing),
    requireJson,
    workInLane(deps.bounds, tooManyRequests),
  ];
}

/** A key that was never right before is looked up in its address's turn, so that guesses cost nobody else. */
function authenticate(deps: GateDeps): Stage<Caller> {
  const { strangers } = deps.bounds;
  return async (exchange, next) => {
    const { request, reply } = exchange;
    const apiKey = request.raw.headers['x-api-key'];
    if (!isWorthLookingUp(apiKey)) return forbidden;
    const gone = () => isGone({ request, reply });
    const entry = await strangers.enter({ address: request.address, proof: apiKey, isGone: gone });
    if (entry === 'gone') return senderIsGone;
    if (entry === 'full') return strangers.refused(tooManyRequests);
    const caller = await deps.authenticate(apiKey).finally(() => {
      if (entry === 'entered') strangers.leave(request.address);
    });
    if (caller === undefined) {
      strangers.disproved(apiKey);
      return forbidden;
    }
    if (entry === 'entered') strangers.proved(apiKey);
    exchange.caller = caller;
    return next();
  };
}

function isWorthLookingUp(apiKey: string | string[] | undefined): apiKey is string {
  return typeof apiKey === 'string' && apiKey !== '' && apiKey.length <= apiKeyLength;
}

const requireJson: Stage<Caller> = async (exchange, next) =>
  isRead(exchange.request) || isJsonOrNothing(exchange) ? next() : unsupportedMediaType;

function isJsonOrNothing(exchange: Exchange): boolean {
  const { contentType, endpoint } = exchange;
  if (isJsonMediaType(contentType)) return true;
  return endpoint.body?.isOptional === true && contentType === undefined && !hasBody(exchange);
}
