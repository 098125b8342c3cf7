import type { Clock } from '../../domain/clock.ts';
import type { AnyCaller, Stage } from '../endpoint/exchange.ts';
import type { Answer } from '../server/answer.ts';
import type { Bounds } from './bounds.ts';
import { isRead } from './work-in-lane.ts';

/** The stage that counts a caller's requests in a minute, and tells it in headers where it stands. */
export function limitRate<Sender extends AnyCaller>(
  deps: { readonly bounds: Pick<Bounds, 'rates'>; readonly clock: Clock },
  refuse: (retryAfterSeconds: number) => Answer,
): Stage<Sender> {
  return async ({ request, reply, caller }, next) => {
    const { reads, writes } = deps.bounds.rates;
    const limiter = isRead(request) ? reads : writes;
    const verdict = limiter.take(caller?.merchantId ?? 'operator', deps.clock.now());
    reply.header('ratelimit-policy', verdict.policy);
    reply.header('ratelimit', verdict.rateLimit);
    return verdict.isAllowed ? next() : refuse(verdict.resetSeconds);
  };
}
