import type { Clock } from '../domain/clock.ts';
import { addMs } from '../domain/clock.ts';

/** Work that is due in rows of its own table; the loop knows it only by this. */
export interface DueWork<Item> {
  readonly name: string;
  /** Takes due items under a lease. */
  claim(input: {
    readonly now: Date;
    readonly leaseUntil: Date;
    readonly limit: number;
    readonly perMerchant: number;
    readonly busy: readonly string[];
  }): Promise<readonly Item[]>;
  /** Does a group of items. One that throws stays leased, and is due again when the lease ends. */
  run(items: readonly Item[]): Promise<void>;
  merchantOf(item: Item): string;
}

export interface ClaimLoopSettings {
  readonly leaseMs: number;
  /** Items under way at once in this process, in all and of one merchant. */
  readonly concurrency: number;
  readonly perMerchant: number;
  /** Items handed to one `run`; 1 runs each on its own. */
  readonly group: number;
  /** The longest wait between two looks when nothing wakes the loop. */
  readonly pollMs: number;
}

export interface ClaimLoop {
  /** Looks now instead of at the next poll. */
  wake(): void;
  /** Takes nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

interface LoopDeps {
  readonly clock: Clock;
  readonly log: { error(fields: Readonly<Record<string, unknown>>, message: string): void };
}

/** The wait after a claim that failed: a database that is away gains nothing by being asked more. */
const afterFailureMs = 1_000;

/** Free places worth a claim while others are busy: few large claims cost less than many small. */
const claimWorthShare = 1 / 4;

/**
 * Claims due work and runs it, as much at once as the settings allow, until it is stopped. A failing
 * database or a failing item never ends the loop.
 */
export function startClaimLoop<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  settings: ClaimLoopSettings,
): ClaimLoop {
  const underWay = new Map<string, number>();
  let running = 0;
  let stopped = false;
  const bell = createBell();

  function count(items: readonly Item[], step: 1 | -1): void {
    running += step * items.length;
    for (const item of items) {
      const merchantId = work.merchantOf(item);
      const now = (underWay.get(merchantId) ?? 0) + step;
      if (now === 0) underWay.delete(merchantId);
      else underWay.set(merchantId, now);
    }
  }

  async function runGroup(items: readonly Item[]): Promise<void> {
    try {
      await work.run(items);
    } catch (error) {
      deps.log.error(
        { work: work.name, error: words(error) },
        'work failed; it is due again later',
      );
    } finally {
      const wasFull = running >= settings.concurrency * (1 - claimWorthShare);
      count(items, -1);
      if (wasFull || running === 0) bell.ring();
    }
  }

  /** Whether it is worth looking again at once. */
  async function claimOnce(): Promise<boolean> {
    const free = settings.concurrency - running;
    if (free < settings.concurrency * claimWorthShare) return false;
    const busy = [...underWay].flatMap(([id, n]) => (n >= settings.perMerchant ? [id] : []));
    const now = deps.clock.now();
    const items = await work.claim({
      now,
      leaseUntil: addMs(now, settings.leaseMs),
      limit: free,
      perMerchant: settings.perMerchant,
      busy,
    });
    count(items, 1);
    for (let start = 0; start < items.length; start += settings.group) {
      void runGroup(items.slice(start, start + settings.group));
    }
    return items.length > 0;
  }

  async function loop(): Promise<void> {
    while (!stopped) {
      const heard = bell.heard();
      let again = false;
      let waitMs = settings.pollMs;
      try {
        again = await claimOnce();
      } catch (error) {
        waitMs = afterFailureMs;
        deps.log.error({ work: work.name, error: words(error) }, 'due work could not be claimed');
      }
      if (!again && !stopped) await bell.wait(heard, waitMs);
    }
    while (running > 0) await bell.wait(bell.heard(), settings.pollMs);
  }

  const ended = loop();
  return {
    wake: bell.ring,
    async stop() {
      stopped = true;
      bell.ring();
      await ended;
    },
  };
}

interface Bell {
  ring(): void;
  /** How often it has rung. */
  heard(): number;
  /** Resolves at the first ring after `since`, or after `mostMs`. */
  wait(since: number, mostMs: number): Promise<void>;
}

function createBell(): Bell {
  let rings = 0;
  let release: (() => void) | undefined;
  return {
    ring() {
      rings += 1;
      release?.();
    },
    heard: () => rings,
    wait(since, mostMs) {
      if (rings > since) return Promise.resolve();
      return new Promise((resolve) => {
        const timer = setTimeout(done, mostMs);
        function done(): void {
          clearTimeout(timer);
          release = undefined;
          resolve();
        }
        release = done;
      });
    },
  };
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : 'an unknown fault';
}
