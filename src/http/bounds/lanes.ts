import { minuteMs, secondMs } from '../../domain/clock.ts';
import type { Answer } from '../server/answer.ts';
import { withRateLimit } from '../server/with-rate-limit.ts';

/** What one sender may have of a server at a time. */
export interface LaneSettings {
  /** Requests that are worked on at once. */
  readonly inFlight: number;
  /** Requests that are begun in a second, on average. */
  readonly perSecond: number;
  /** Requests that may begin at once after a pause; absent: a second's. */
  readonly burst?: number;
  /** Requests that wait for their turn; those beyond are refused. */
  readonly waiting: number;
}

export type Entry = 'entered' | 'full' | 'gone';

interface Waiting {
  /** What it takes of the lane's pace. */
  readonly weight: number;
  readonly isGone: () => boolean;
  readonly resolve: (entry: Entry) => void;
}

interface Lane {
  inFlight: number;
  tokens: number;
  filledAtMs: number;
  line: Waiting[];
  timer?: NodeJS.Timeout;
}

/** Lanes that are remembered; beyond, those that are idle are forgotten. */
const maxLanes = 10_000;

/**
 * A lane for each sender. A sender that asks for more than its lane takes waits in it, and nobody else does: a
 * connection has one request on its way, so that waiting slows the sender down. Of what waits, a
 * request whose sender is gone is dropped when its turn comes.
 */
export class Lanes {
  readonly #settings: LaneSettings;
  readonly #elapsedMs: () => number;
  readonly #lanes = new Map<string, Lane>();

  constructor(settings: LaneSettings, elapsedMs: () => number) {
    this.#settings = settings;
    this.#elapsedMs = elapsedMs;
  }

  /** After `entered`, `leave` has to be called once. A request may weigh as much as several. */
  async enter(sender: string, isGone: () => boolean, weight = 1): Promise<Entry> {
    const lane = this.#laneOf(sender);
    if (lane.line.length === 0 && this.#take(lane, weight)) return 'entered';
    if (lane.line.length >= this.#settings.waiting) {
      lane.line = lane.line.filter((waiting) => !dropped(waiting));
      if (lane.line.length >= this.#settings.waiting) return 'full';
    }
    return new Promise((resolve) => {
      lane.line.push({ weight, isGone, resolve });
      this.#advance(lane);
    });
  }

  /** Whether what comes now would wait for the sender's other requests. */
  isTaken(sender: string): boolean {
    const lane = this.#lanes.get(sender);
    if (lane === undefined) return false;
    return lane.line.length > 0 || lane.inFlight >= this.#settings.inFlight;
  }

  leave(sender: string): void {
    const lane = this.#laneOf(sender);
    lane.inFlight -= 1;
    this.#advance(lane);
  }

  /** Seconds until a lane whose line is full has worked half of it off, at least 1. */
  get retryAfterSeconds(): number {
    return Math.max(1, Math.ceil(this.#settings.waiting / 2 / this.#settings.perSecond));
  }

  /** The API's 429, with what a sender of this lane may have in a minute. */
  refused(tooMany: (retryAfterSeconds: number) => Answer): Answer {
    const resetSeconds = this.retryAfterSeconds;
    const perMinute = Math.round((this.#settings.perSecond * minuteMs) / secondMs);
    return withRateLimit(tooMany(resetSeconds), { perMinute, resetSeconds });
  }

  #laneOf(sender: string): Lane {
    let lane = this.#lanes.get(sender);
    if (lane === undefined) {
      if (this.#lanes.size >= maxLanes) this.#forgetIdle();
      const burst = this.#burst;
      lane = { inFlight: 0, tokens: burst, filledAtMs: this.#elapsedMs(), line: [] };
      this.#lanes.set(sender, lane);
    }
    return lane;
  }

  get #burst(): number {
    return Math.max(1, this.#settings.burst ?? this.#settings.perSecond);
  }

  #forgetIdle(): void {
    for (const [sender, lane] of this.#lanes) {
      if (lane.inFlight === 0 && lane.line.length === 0) this.#lanes.delete(sender);
    }
  }

  /** What has to be there for a weight: no lane is ever fuller than its burst. */
  #tokensFor(weight: number): number {
    return Math.min(weight, this.#burst);
  }

  #take(lane: Lane, weight: number): boolean {
    const needed = this.#tokensFor(weight);
    const nowMs = this.#elapsedMs();
    const gained = ((nowMs - lane.filledAtMs) / secondMs) * this.#settings.perSecond;
    lane.tokens = Math.min(this.#burst, lane.tokens + gained);
    lane.filledAtMs = nowMs;
    if (lane.inFlight >= this.#settings.inFlight || lane.tokens < needed) return false;
    lane.tokens -= needed;
    lane.inFlight += 1;
    return true;
  }

  #advance(lane: Lane): void {
    while (lane.line[0] !== undefined) {
      if (dropped(lane.line[0])) {
        lane.line.shift();
      } else if (this.#take(lane, lane.line[0].weight)) {
        lane.line.shift()?.resolve('entered');
      } else {
        break;
      }
    }
    // Where places are taken, the next to leave goes on; where the pace is too fast, time does.
    const [first] = lane.line;
    if (first === undefined || lane.timer !== undefined) return;
    if (lane.inFlight >= this.#settings.inFlight) return;
    const missing = this.#tokensFor(first.weight) - lane.tokens;
    const waitMs = Math.ceil((missing / this.#settings.perSecond) * secondMs);
    lane.timer = setTimeout(() => {
      delete lane.timer;
      this.#advance(lane);
    }, waitMs);
    lane.timer.unref();
  }
}

function dropped(waiting: Waiting): boolean {
  if (!waiting.isGone()) return false;
  waiting.resolve('gone');
  return true;
}
