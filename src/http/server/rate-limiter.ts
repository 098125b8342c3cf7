import { minuteMs, secondMs } from '../../domain/clock.ts';

/** Where a merchant stands in its window after one more request. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  /** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly rateLimit: string;
  readonly policy: string;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/**
 * Counts each merchant's requests in fixed windows of a minute that begin with its first request.
 * One process counts for itself: the limit keeps a runaway client off, it is no quota.
 */
export class RateLimiter {
  readonly #perMinute: number;
  readonly #policy: string;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number) {
    this.#perMinute = perMinute;
    this.#policy = `"default";q=${perMinute};w=${minuteMs / secondMs}`;
  }

  take(merchantId: string, at: Date): RateVerdict {
    const nowMs = at.getTime();
    let window = this.#windows.get(merchantId);
    if (window === undefined || nowMs >= window.endsAtMs) {
      window = { endsAtMs: nowMs + minuteMs, used: 0 };
      this.#windows.set(merchantId, window);
    }
    window.used += 1;
    const remaining = Math.max(0, this.#perMinute - window.used);
    const resetSeconds = Math.max(1, Math.ceil((window.endsAtMs - nowMs) / secondMs));
    return {
      isAllowed: window.used <= this.#perMinute,
      rateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      policy: this.#policy,
      resetSeconds,
    };
  }
}
