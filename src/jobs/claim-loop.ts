import { addMs, type Clock } from '../domain/clock.ts';
import { createBell } from './bell.ts';
import { errorWords } from './error-words.ts';
import { createInFlight, type InFlight } from './in-flight.ts';

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
  /**
   * Free places that are worth a claim: few large claims cost less than many small ones. Equal to
   * `concurrency`, one claim's items end before the next begin, and so keep their order.
   */
  readonly claimWorth: number;
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

/**
 * Claims due work and runs it, as much at once as the settings allow, until it is stopped. A failing
 * database or a failing item never ends the loop.
 */
export function startClaimLoop<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  settings: ClaimLoopSettings,
): ClaimLoop {
  const inFlight = createInFlight();
  const bell = createBell();
  const nearlyFull = settings.concurrency - settings.claimWorth;
  let isStopped = false;

  async function loop(): Promise<void> {
    while (!isStopped) {
      const heard = bell.heard();
      const found = await claimSome(deps, work, settings, inFlight);
      for (const group of inGroups(found ?? [], settings.group)) {
        void runGroup(deps, work, group).then(() => {
          const before = inFlight.total;
          inFlight.remove(group.map(work.merchantOf));
          // The loop waits for a place only while it is nearly full, and for the end when it stops.
          if (before > nearlyFull || inFlight.total === 0) bell.ring();
        });
      }
      if (found?.length || isStopped) continue;
      await bell.wait(heard, found === undefined ? afterFailureMs : settings.pollMs);
    }
    while (inFlight.total > 0) await bell.wait(bell.heard(), settings.pollMs);
  }

  const ended = loop();
  return {
    wake: bell.ring,
    async stop() {
      isStopped = true;
      bell.ring();
      await ended;
    },
  };
}

/** What was claimed; nothing where too few places are free to be worth it, undefined on failure. */
async function claimSome<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  settings: ClaimLoopSettings,
  inFlight: InFlight,
): Promise<readonly Item[] | undefined> {
  const free = settings.concurrency - inFlight.total;
  if (free < settings.claimWorth) return [];
  const now = deps.clock.now();
  try {
    const items = await work.claim({
      now,
      leaseUntil: addMs(now, settings.leaseMs),
      limit: free,
      perMerchant: settings.perMerchant,
      busy: inFlight.merchantsWith(settings.perMerchant),
    });
    inFlight.add(items.map(work.merchantOf));
    return items;
  } catch (error) {
    deps.log.error({ work: work.name, error: errorWords(error) }, 'due work could not be claimed');
    return undefined;
  }
}

async function runGroup<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  items: readonly Item[],
): Promise<void> {
  try {
    await work.run(items);
  } catch (error) {
    deps.log.error(
      { work: work.name, error: errorWords(error) },
      'work failed; it is due again when its lease ends',
    );
  }
}

function* inGroups<Item>(items: readonly Item[], size: number): Generator<readonly Item[]> {
  for (let start = 0; start < items.length; start += size) yield items.slice(start, start + size);
}
