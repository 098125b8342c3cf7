import { addMs, type Clock } from '../domain/clock.ts';
import { errorMessage } from '../domain/errors/error-message.ts';
import type { DueItems, Hold } from '../domain/held-back.ts';
import { failureMessage, isOutage } from './errors/failure-message.ts';
import { createInFlight, type InFlight } from './in-flight.ts';
import { createNotifier } from './notifier.ts';
import { createParking, type Parking, type ParkingSettings } from './parking.ts';

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
  }): Promise<DueItems<Item>>;
  /** Does a group of items. Where a group fails, each is done by itself: none is failed by another. */
  run(items: readonly Item[], hold: Hold): Promise<void>;
  /** Counts that the work of one item threw: it backs off, and after a few times is set aside. */
  failed(item: Item, failure: { readonly reason: string; readonly at: Date }): Promise<FailedAs>;
  merchantOf(item: Item): string;
  /** Told of items that were handed over and so were never claimed. */
  handedOver?(items: readonly Item[]): void;
}

/** What becomes of an item whose work threw; `moved`: it is no longer that work. */
export type FailedAs = 'backs_off' | 'set_aside' | 'moved';

export interface ClaimLoopSettings {
  readonly leaseMs: number;
  /** Items under way at once in this process. */
  readonly concurrency: number;
  /** A merchant's share: with so many under way it is left out of claims, and one claim takes no more of it. */
  readonly perMerchant: number;
  /**
   * Free places that are worth a claim: few large claims cost less than many small ones. Equal to
   * `concurrency`, one claim's items end before the next begin, and so keep their order.
   */
  readonly claimWorth: number;
  /** Items handed to one `run`; 1 runs each on its own. */
  readonly group: number;
  /** How items that wait for others give their places back; for groups of one. */
  readonly parking?: ParkingSettings;
  /** The longest wait between two looks when nothing wakes the loop. */
  readonly pollMs: number;
  /** The same while merchants were left out whose servers are slow: nobody rings for them. */
  readonly leftOutPollMs: number;
}

export interface ClaimLoop<Item> {
  /** Looks now instead of at the next poll. */
  wake(): void;
  /**
   * Places for so many items of a merchant that are about to be written, with their lease: they need
   * no claim then. Undefined where the loop would not take them now.
   */
  place(merchantId: string, count: number): Place<Item> | undefined;
  /** Takes nothing more; resolves when what is under way has ended. */
  stop(): Promise<void>;
}

/** Places that are held; exactly one of the two is called, once. */
export interface Place<Item> {
  readonly leaseUntil: Date;
  /** Runs the items, which are committed by now under this lease and count for these places. */
  run(items: readonly Item[]): void;
  /** Nothing was written. */
  release(): void;
}

interface LoopDeps {
  readonly clock: Clock;
  /** Whether this process may take work now, and in which epoch of its time. */
  readonly time: { epoch(): number; heldBack(): unknown };
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
): ClaimLoop<Item> {
  const inFlight = createInFlight();
  const notifier = createNotifier();
  const parking = settings.parking && createParking(inFlight, settings.parking, tellOfPlaces);
  let isStopped = false;
  let lacksPlaces = false;
  const shares = watchShares(inFlight, settings.perMerchant);

  /** The loop waits for places only where it lacked them, and for the end when it stops. */
  function tellOfPlaces(): void {
    const hasEnough = settings.concurrency - inFlight.total >= settings.claimWorth;
    if ((lacksPlaces && hasEnough) || (isStopped && inFlight.all === 0)) notifier.notify();
  }

  function free(merchantIds: readonly string[], ends: readonly (() => void)[] = []): void {
    for (const end of ends) end();
    inFlight.remove(merchantIds);
    if (shares.hasRoomAgain(merchantIds)) notifier.notify();
    tellOfPlaces();
  }

  function runAll(claimed: Claimed<Item> | undefined): void {
    for (const group of inGroups(claimed, settings.group)) {
      const merchantIds = group.items.map(work.merchantOf);
      const ends = merchantIds.flatMap((merchantId) => parking?.begin(merchantId) ?? []);
      void runGroup(deps, work, group).then(() => free(merchantIds, ends));
    }
  }

  function place(merchantId: string, count: number): Place<Item> | undefined {
    if (isStopped || parking?.leftOut().includes(merchantId)) return undefined;
    const hold = holdFor(deps, settings, inFlight, { merchantId, count });
    if (hold === undefined) return undefined;
    const merchantIds = new Array<string>(count).fill(merchantId);
    inFlight.add(merchantIds);
    const run = (items: readonly Item[]): void => {
      work.handedOver?.(items);
      runAll({ items, hold });
    };
    return placeUnder(deps, hold, { run, release: () => free(merchantIds) });
  }

  async function loop(): Promise<void> {
    while (!isStopped) {
      const seen = notifier.count();
      lacksPlaces = settings.concurrency - inFlight.total < settings.claimWorth;
      const found = await claimSome(deps, work, settings, { inFlight, parking });
      runAll(found);
      const isRoomAgain = shares.leftOut(found?.atShare);
      if (found?.isAll === false || isStopped || isRoomAgain) continue;
      await notifier.wait(seen, waitMsAfter(found, settings));
    }
    while (inFlight.all > 0) await notifier.wait(notifier.count(), settings.pollMs);
  }

  const ended = loop();
  return {
    wake: notifier.notify,
    place,
    async stop() {
      isStopped = true;
      notifier.notify();
      await ended;
    },
  };
}

/** Merchants that were left out of the last claim for having their share under way. */
function watchShares(inFlight: Pick<InFlight, 'of'>, perMerchant: number) {
  let atShare: readonly string[] = [];
  /** Whether half of one's share is free again: fewer large claims cost less, as of `claimWorth`. */
  const hasRoomAgain = (merchantIds: readonly string[]): boolean =>
    merchantIds.some((id) => atShare.includes(id) && inFlight.of(id) <= perMerchant / 2);
  return {
    hasRoomAgain,
    /** Gives whether there is room already: what ended while the claim was under way rang for nobody. */
    leftOut(merchantIds: readonly string[] = []): boolean {
      atShare = merchantIds;
      return hasRoomAgain(merchantIds);
    },
  };
}

/** Across a jump of time the lease means nothing: it ends, and then the items are claimed. */
function placeUnder<Item>(
  deps: LoopDeps,
  hold: Hold,
  { run, release }: Pick<Place<Item>, 'run' | 'release'>,
): Place<Item> {
  return {
    leaseUntil: hold.leaseUntil,
    run(items) {
      if (deps.time.epoch() === hold.epoch) run(items);
      else release();
    },
    release,
  };
}

/** The lease of so many items of a merchant, where there is room for them and the process holds nothing back. */
function holdFor(
  deps: LoopDeps,
  settings: ClaimLoopSettings,
  inFlight: InFlight,
  { merchantId, count }: { readonly merchantId: string; readonly count: number },
): Hold | undefined {
  const { concurrency, perMerchant, leaseMs } = settings;
  if (inFlight.total + count > concurrency) return undefined;
  if (inFlight.of(merchantId) + count > perMerchant) return undefined;
  if (deps.time.heldBack() !== undefined) return undefined;
  return { epoch: deps.time.epoch(), leaseUntil: addMs(deps.clock.now(), leaseMs) };
}

function waitMsAfter(
  found: ClaimedDue<unknown> | undefined,
  { pollMs, leftOutPollMs }: ClaimLoopSettings,
): number {
  if (found === undefined) return afterFailureMs;
  return found.leavesOutSlow ? Math.min(pollMs, leftOutPollMs) : pollMs;
}

interface Claimed<Item> {
  readonly items: readonly Item[];
  readonly hold: Hold;
}

interface ClaimedDue<Item> extends Claimed<Item>, DueItems<Item> {
  /** Merchants that were left out for having their share under way, or would be by now. */
  readonly atShare: readonly string[];
  /** Merchants were left out whose servers are slow. */
  readonly leavesOutSlow: boolean;
}

/**
 * What was claimed; nothing where too few places are free to be worth it or the process holds back,
 * undefined on failure. What was claimed across a jump of time is dropped: its lease ends it.
 */
async function claimSome<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  settings: ClaimLoopSettings,
  { inFlight, parking }: { readonly inFlight: InFlight; readonly parking: Parking | undefined },
): Promise<ClaimedDue<Item> | undefined> {
  const epoch = deps.time.epoch();
  const now = deps.clock.now();
  const hold = { epoch, leaseUntil: addMs(now, settings.leaseMs) };
  const free = settings.concurrency - inFlight.total;
  const isHeldBack = deps.time.heldBack() !== undefined;
  const nothing = { items: [], isAll: true, hold, atShare: [], leavesOutSlow: false };
  if (free < settings.claimWorth || isHeldBack) return nothing;
  try {
    const atShare = inFlight.merchantsWith(settings.perMerchant);
    const slow = parking?.leftOut() ?? [];
    const { items, isAll, cutAtShare } = await work.claim({
      now,
      leaseUntil: hold.leaseUntil,
      limit: free,
      perMerchant: settings.perMerchant,
      busy: [...atShare, ...slow],
    });
    if (deps.time.epoch() !== epoch) return nothing;
    inFlight.add(items.map(work.merchantOf));
    const full = inFlight.merchantsWith(settings.perMerchant);
    // What else is due is of merchants that would be left out: another claim would find nothing.
    const isAllToTake = isAll || cutAtShare?.every((id) => full.includes(id)) === true;
    const leavesOutSlow = slow.length > 0;
    return { items, isAll: isAllToTake, hold, atShare: [...atShare, ...full], leavesOutSlow };
  } catch (error) {
    deps.log.error(
      { work: work.name, error: errorMessage(error) },
      'due work could not be claimed',
    );
    return undefined;
  }
}

async function runGroup<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  { items, hold }: Claimed<Item>,
): Promise<void> {
  try {
    await work.run(items, hold);
  } catch (error) {
    if (isOutage(error)) {
      deps.log.error(
        { work: work.name, error: errorMessage(error) },
        'work failed; it is due again when its lease ends',
      );
      return;
    }
    const [item, ...others] = items;
    if (item !== undefined && others.length === 0) {
      await noteFailure(deps, work, item, error);
      return;
    }
    // One of them may be to blame, and the others are not to wait for it.
    for (const single of items) await runGroup(deps, work, { items: [single], hold });
  }
}

async function noteFailure<Item>(
  deps: LoopDeps,
  work: DueWork<Item>,
  item: Item,
  error: unknown,
): Promise<void> {
  const fields = { work: work.name, error: errorMessage(error) };
  try {
    const at = deps.clock.now();
    const outcome = await work.failed(item, { reason: failureMessage(error), at });
    const words =
      outcome === 'set_aside'
        ? 'work failed repeatedly and is set aside: a person has to look into it'
        : 'work failed; it is due again after a wait';
    deps.log.error(fields, words);
  } catch (failure) {
    deps.log.error(
      { ...fields, noting: errorMessage(failure) },
      'work failed; it is due again when its lease ends',
    );
  }
}

function* inGroups<Item>(
  claimed: Claimed<Item> | undefined,
  size: number,
): Generator<Claimed<Item>> {
  if (claimed === undefined) return;
  const { items, hold } = claimed;
  for (let start = 0; start < items.length; start += size) {
    yield { items: items.slice(start, start + size), hold };
  }
}
