import { minuteMs, secondMs } from '../../domain/clock.ts';

/** Where a sender stands in its window after one more request. */
export interface RateVerdict {
  readonly isAllowed: boolean;
  /** `RateLimit` and `RateLimit-Policy` (draft-ietf-httpapi-ratelimit-headers-11). */
  readonly rateLimit: string;
  readonly policy: string;
  /** Seconds until the window ends, at least 1. */
  readonly resetSeconds: number;
}

/**
 * Adds requests of one window to those of all processes, and gives the sum. A limiter that has none counts
 * for its process alone.
 */
export type CountTogether = (of: {
  readonly sender: string;
  readonly windowStartsAt: Date;
  readonly requests: number;
}) => Promise<number>;

interface Window {
  readonly startsAtMs: number;
  used: number;
  /** Of `used`, those that the other processes know of. */
  told: number;
  ofOthers: number;
  isTelling: boolean;
}

/** A process tells the others of a sender's requests after each twentieth of the limit. */
const partsTold = 20;
/** Senders that are remembered; beyond, those whose windows have ended are forgotten. */
const maxSenders = 10_000;

/**
 * Counts each sender's requests in the minutes of the clock. Several processes count together, each telling
 * the others now and then: a sender may exceed its limit by a twentieth for each process.
 */
export class RateLimiter {
  readonly #perMinute: number;
  readonly #policy: string;
  readonly #countTogether: CountTogether | undefined;
  readonly #windows = new Map<string, Window>();

  constructor(perMinute: number, countTogether?: CountTogether) {
    this.#perMinute = perMinute;
    this.#policy = `"default";q=${perMinute};w=${minuteMs / secondMs}`;
    this.#countTogether = countTogether;
  }

  take(sender: string, at: Date): RateVerdict {
    const nowMs = at.getTime();
    const window = this.#windowOf(sender, nowMs);
    window.used += 1;
    this.#tell(sender, window);
    const used = window.used + window.ofOthers;
    const remaining = Math.max(0, this.#perMinute - used);
    const endsAtMs = window.startsAtMs + minuteMs;
    const resetSeconds = Math.max(1, Math.ceil((endsAtMs - nowMs) / secondMs));
    return {
      isAllowed: used <= this.#perMinute,
      rateLimit: `"default";r=${remaining};t=${resetSeconds}`,
      policy: this.#policy,
      resetSeconds,
    };
  }

  #windowOf(sender: string, nowMs: number): Window {
    const startsAtMs = Math.floor(nowMs / minuteMs) * minuteMs;
    const known = this.#windows.get(sender);
    // The next one stays where the clock was put right by a little; one still later is of a time that is gone.
    const aheadMs = known === undefined ? -1 : known.startsAtMs - startsAtMs;
    if (known !== undefined && aheadMs >= 0 && aheadMs <= minuteMs) return known;
    if (this.#windows.size >= maxSenders) this.#forgetBefore(startsAtMs);
    const window = { startsAtMs, used: 0, told: 0, ofOthers: 0, isTelling: false };
    this.#windows.set(sender, window);
    return window;
  }

  #forgetBefore(startsAtMs: number): void {
    for (const [sender, window] of this.#windows) {
      if (window.startsAtMs < startsAtMs) this.#windows.delete(sender);
    }
  }

  #tell(sender: string, window: Window): void {
    const requests = window.used - window.told;
    const isWorthIt = requests >= Math.max(1, this.#perMinute / partsTold);
    if (this.#countTogether === undefined || !isWorthIt || window.isTelling) return;
    // A sender that is over its limit has nothing more to tell.
    if (window.told >= this.#perMinute) return;
    window.isTelling = true;
    const windowStartsAt = new Date(window.startsAtMs);
    this.#countTogether({ sender, windowStartsAt, requests })
      .then((all) => {
        window.told += requests;
        window.ofOthers = Math.max(0, all - window.told);
      })
      // While the database is away each process counts for itself.
      .catch(() => undefined)
      .finally(() => {
        window.isTelling = false;
      });
  }
}
