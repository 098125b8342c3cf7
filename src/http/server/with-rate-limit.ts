import { minuteMs, secondMs } from '../../domain/clock.ts';
import type { Answer } from './answer.ts';

/** A refusal with the headers that say how many requests a sender has in a minute, and when it has some again. */
export function withRateLimit(
  answer: Answer,
  of: { readonly perMinute: number; readonly resetSeconds: number },
): Answer {
  return { ...answer, headers: { ...answer.headers, ...rateLimitHeaders(of) } };
}

/** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11) of a sender with nothing left. */
export function rateLimitHeaders(of: {
  readonly perMinute: number;
  readonly resetSeconds: number;
}): Readonly<Record<'ratelimit' | 'ratelimit-policy', string>> {
  return {
    'ratelimit-policy': `"default";q=${of.perMinute};w=${minuteMs / secondMs}`,
    ratelimit: `"default";r=0;t=${of.resetSeconds}`,
  };
}
