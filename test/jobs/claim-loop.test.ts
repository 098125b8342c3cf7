import { describe, expect, it, onTestFinished } from 'vitest';
import { AppError, InvariantError } from '../../src/domain/errors.ts';
import type { Hold } from '../../src/domain/held-back.ts';
import {
  type ClaimLoop,
  type ClaimLoopSettings,
  type DueWork,
  startClaimLoop,
} from '../../src/jobs/claim-loop.ts';

interface Item {
  readonly merchant: string;
  readonly id: number;
}
type Claim = Parameters<DueWork<Item>['claim']>[0];

const now = new Date('2026-03-01T12:00:00.000Z');
/** Nothing in these tests happens by waiting: a loop that slept for this long would never end. */
const never = 1_000_000;

/** A promise that others settle. */
function gate() {
  let open: () => void = () => undefined;
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open };
}

/** A loop over items in memory, the runs of which end when the test says so. */
function loopOver(
  items: readonly Item[],
  change: Partial<ClaimLoopSettings> = {},
  { share }: { readonly share?: number } = {},
) {
  const waiting = [...items];
  const claims: Claim[] = [];
  const started: (readonly Item[])[] = [];
  const ends = new Map<number, () => void>();
  const failures = new Map<number, Error>();
  const errors: string[] = [];
  const failed: { id: number; reason: string; at: Date }[] = [];
  const watchers: { holds: () => boolean; tell: () => void }[] = [];
  let claimFault: Error | undefined;
  let epoch = 0;
  let heldBack: string | undefined;
  const holds: Hold[] = [];
  const handedOver: number[] = [];
  let looks = 0;
  let beforeClaim = async () => undefined;

  function moved(): void {
    for (const watcher of watchers.filter((each) => each.holds())) {
      watchers.splice(watchers.indexOf(watcher), 1);
      watcher.tell();
    }
  }
  /** Resolves once this holds; it is looked at after each thing that the loop does. */
  function until(holds: () => boolean): Promise<void> {
    if (holds()) return Promise.resolve();
    return new Promise((resolve) => watchers.push({ holds, tell: resolve }));
  }

  const work: DueWork<Item> = {
    name: 'things',
    async claim(input) {
      await beforeClaim();
      claims.push(input);
      const fault = claimFault;
      claimFault = undefined;
      queueMicrotask(moved);
      if (fault !== undefined) throw fault;
      const taken: Item[] = [];
      for (const item of [...waiting]) {
        const own = taken.filter((each) => each.merchant === item.merchant).length;
        if (taken.length === input.limit || own === (share ?? input.perMerchant)) continue;
        if (input.busy.includes(item.merchant)) continue;
        taken.push(item);
        waiting.splice(waiting.indexOf(item), 1);
      }
      const left = waiting.flatMap(({ merchant }) =>
        input.busy.includes(merchant) ? [] : merchant,
      );
      const isCutAtShares = share !== undefined && taken.length < input.limit;
      return { items: taken, isAll: left.length === 0, ...(isCutAtShares && { cutAtShare: left }) };
    },
    async run(group, hold) {
      holds.push(hold);
      const end = gate();
      const [first] = group;
      if (first === undefined) throw new Error('an empty group');
      ends.set(first.id, end.open);
      started.push(group);
      queueMicrotask(moved);
      await end.opened;
      const failure = failures.get(first.id);
      if (failure !== undefined) throw failure;
    },
    async failed(item, failure) {
      failed.push({ id: item.id, ...failure });
      queueMicrotask(moved);
      return failed.filter(({ id }) => id === item.id).length > 1 ? 'set_aside' : 'backs_off';
    },
    merchantOf: (item) => item.merchant,
    handedOver: (group) => handedOver.push(...group.map(({ id }) => id)),
  };
  const time = {
    epoch: () => epoch,
    heldBack() {
      looks += 1;
      queueMicrotask(moved);
      return heldBack;
    },
  };
  const settings: ClaimLoopSettings = {
    leaseMs: 1_000,
    concurrency: 4,
    perMerchant: 4,
    claimWorth: 1,
    group: 1,
    pollMs: never,
    leftOutPollMs: never,
    ...change,
  };
  const log = {
    error: (fields: object, message: string) => {
      errors.push(`${message}: ${JSON.stringify(fields)}`);
      queueMicrotask(moved);
    },
  };
  const loop: ClaimLoop<Item> = startClaimLoop(
    { clock: { now: () => now }, time, log },
    work,
    settings,
  );
  onTestFinished(async () => {
    const stopped = loop.stop();
    for (const end of ends.values()) end();
    await stopped;
  });
  return {
    loop,
    claims,
    errors,
    failed,
    holds,
    handedOver,
    looks: () => looks,
    holdBack: (words: string | undefined) => {
      heldBack = words;
    },
    jump: () => {
      epoch += 1;
    },
    until,
    started,
    ids: () => started.map((group) => group.map((item) => item.id)),
    end: (id: number) => ends.get(id)?.(),
    failWith: (id: number, error: Error) => failures.set(id, error),
    failNextClaim: (error: Error) => {
      claimFault = error;
    },
    holdClaims: (hold: () => Promise<undefined>) => {
      beforeClaim = hold;
    },
    add: (...more: readonly Item[]) => waiting.push(...more),
  };
}

const items = (count: number, merchant = 'a', from = 1): readonly Item[] =>
  Array.from({ length: count }, (_, index) => ({ merchant, id: from + index }));

describe('a claim', () => {
  it('asks for what the loop has room for, under a lease from now', async () => {
    const { claims, until } = loopOver([], { concurrency: 7, perMerchant: 3, leaseMs: 5_000 });
    await until(() => claims.length === 1);
    expect(claims).toEqual([
      {
        now,
        leaseUntil: new Date(now.getTime() + 5_000),
        limit: 7,
        perMerchant: 3,
        busy: [],
      },
    ]);
  });

  it('is not made again at once where it took all that was due', async () => {
    const world = loopOver(items(3), { concurrency: 9 });
    await world.until(() => world.started.length === 3);
    await new Promise(setImmediate);
    expect(world.claims).toHaveLength(1);
  });

  it('is made again at once where something cut it off, until nothing does', async () => {
    const { claims, until, started } = loopOver(items(3), { concurrency: 9, perMerchant: 1 });
    await until(() => claims.length === 2);
    expect(started).toHaveLength(1);
    expect(claims[1]).toMatchObject({ limit: 8, busy: ['a'] });
  });

  it('is not made again at once where it was cut off by shares that are under way whole', async () => {
    const settings = { concurrency: 9, perMerchant: 2 };
    const world = loopOver(items(6), settings, { share: 2 });
    await world.until(() => world.started.length === 2);
    await new Promise(setImmediate);
    expect(world.claims).toHaveLength(1);
    world.end(1);
    await world.until(() => world.ids().flat().includes(3));
    expect(world.claims[1]).toMatchObject({ busy: [] });
  });

  it('is made again at once where a share that cut it off is not under way whole', async () => {
    const world = loopOver(items(3), { concurrency: 9, perMerchant: 4 }, { share: 1 });
    await world.until(() => world.started.length === 3);
    expect(world.ids().flat()).toEqual([1, 2, 3]);
  });

  it('leaves out the merchants whose share is under way, until half of it is free', async () => {
    const world = loopOver([...items(9, 'a'), ...items(1, 'b', 90)], {
      concurrency: 9,
      perMerchant: 4,
    });
    await world.until(() => world.claims.length === 2);
    expect(world.ids().flat()).toEqual([1, 2, 3, 4, 90]);
    expect(world.claims[1]).toMatchObject({ limit: 4, busy: ['a'] });
    world.end(1);
    world.end(90);
    await new Promise(setImmediate);
    expect(world.claims).toHaveLength(2);
    world.end(2);
    await world.until(() => world.ids().flat().includes(5));
    expect(world.claims[2]).toMatchObject({ limit: 7, busy: [] });
  });

  it('is made again at once where half of a share that it left out fell free meanwhile', async () => {
    const world = loopOver(items(9), { concurrency: 9, perMerchant: 4 });
    await world.until(() => world.claims.length === 2);
    const looking = gate();
    const held = gate();
    world.holdClaims(async () => {
      world.holdClaims(async () => undefined);
      looking.open();
      await held.opened;
      return undefined;
    });
    world.loop.wake();
    await looking.opened;
    for (const id of [1, 2, 3, 4]) world.end(id);
    await new Promise(setImmediate);
    held.open();
    await world.until(() => world.ids().flat().includes(5));
    expect(world.claims[2]).toMatchObject({ busy: ['a'] });
    expect(world.claims[3]).toMatchObject({ limit: 9, busy: [] });
  });
});

describe('the time of the process', () => {
  it('is asked before each claim, and nothing is claimed while the process holds back', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    world.holdBack('its clock is wrong');
    world.add(...items(2));
    const looked = world.looks();
    world.loop.wake();
    await world.until(() => world.looks() > looked);
    expect(world.claims).toHaveLength(1);
    world.holdBack(undefined);
    world.loop.wake();
    await world.until(() => world.started.length === 2);
  });

  it('is told to what runs: its epoch, and until when the lease holds', async () => {
    const world = loopOver(items(1), { leaseMs: 5_000 });
    await world.until(() => world.started.length === 1);
    expect(world.holds).toEqual([{ epoch: 0, leaseUntil: new Date(now.getTime() + 5_000) }]);
  });

  it('jumped while a claim was under way: what it took is dropped, the next claim is not', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    world.holdClaims(async () => {
      world.holdClaims(async () => undefined);
      world.jump();
      return undefined;
    });
    world.add({ merchant: 'a', id: 1 });
    world.loop.wake();
    await world.until(() => world.claims.length === 2);
    world.add({ merchant: 'a', id: 7 });
    world.loop.wake();
    await world.until(() => world.started.length === 1);
    expect(world.ids()).toEqual([[7]]);
    expect(world.holds[0]?.epoch).toBe(1);
  });
});

describe('the loop', () => {
  it('has no more under way than it may, and fills a place that falls free', async () => {
    const world = loopOver(items(10), { concurrency: 4 });
    await world.until(() => world.started.length === 4);
    world.end(2);
    await world.until(() => world.started.length === 5);
    expect(world.ids().flat()).toEqual([1, 2, 3, 4, 5]);
  });

  it('waits until enough places are free to be worth a claim', async () => {
    const world = loopOver(items(10), { concurrency: 4, claimWorth: 3 });
    await world.until(() => world.started.length === 4);
    world.end(1);
    world.end(2);
    expect(world.claims).toHaveLength(1);
    world.end(3);
    await world.until(() => world.started.length === 7);
    expect(world.claims[1]?.limit).toBe(3);
  });

  it('where a claim is worth all its places, ends one claim’s items before the next begin', async () => {
    const world = loopOver(items(3), { concurrency: 4, claimWorth: 4, group: 4 });
    await world.until(() => world.started.length === 1);
    world.add(...items(2, 'a', 8));
    world.loop.wake();
    world.end(1);
    await world.until(() => world.started.length === 2);
    expect(world.ids()).toEqual([
      [1, 2, 3],
      [8, 9],
    ]);
  });

  it('hands items over in groups', async () => {
    const world = loopOver(items(5), { concurrency: 9, perMerchant: 9, group: 2 });
    await world.until(() => world.started.length === 3);
    expect(world.ids()).toEqual([[1, 2], [3, 4], [5]]);
  });

  it('looks when it is woken, although it sleeps', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    world.add(...items(1));
    world.loop.wake();
    await world.until(() => world.started.length === 1);
  });

  it('looks again where it is woken while it looks: what came after its look is not missed', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    const looking = gate();
    const held = gate();
    world.holdClaims(async () => {
      looking.open();
      await held.opened;
      world.holdClaims(async () => undefined);
      return undefined;
    });
    world.loop.wake();
    await looking.opened;
    world.loop.wake();
    held.open();
    await world.until(() => world.claims.length === 3);
  });

  it('looks by itself after its poll time', async () => {
    const world = loopOver([], { pollMs: 1 });
    await world.until(() => world.claims.length >= 3);
  });
});

describe('places for what is about to be written', () => {
  /** A loop that sleeps. */
  async function asleep(change: Partial<ClaimLoopSettings> = {}) {
    const world = loopOver([], change);
    await world.until(() => world.claims.length === 1);
    return world;
  }

  it('come with a lease from now, and what was written is run without a claim', async () => {
    const world = await asleep({ leaseMs: 5_000 });
    const place = world.loop.place('a', 2);
    expect(place?.leaseUntil).toEqual(new Date(now.getTime() + 5_000));
    place?.run(items(2));
    expect(world.ids()).toEqual([[1], [2]]);
    expect(world.handedOver).toEqual([1, 2]);
    expect(world.holds[0]).toEqual({ epoch: 0, leaseUntil: place?.leaseUntil });
    expect(world.claims).toHaveLength(1);
  });

  it('are no more than the loop has, in all and of one merchant, and fall free again', async () => {
    const world = await asleep({ concurrency: 3, perMerchant: 2 });
    const held = world.loop.place('a', 2);
    expect(world.loop.place('a', 1)).toBeUndefined();
    expect(world.loop.place('b', 2)).toBeUndefined();
    const other = world.loop.place('b', 1);
    expect(world.loop.place('c', 1)).toBeUndefined();
    held?.release();
    other?.run(items(1, 'b', 7));
    world.end(7);
    await new Promise(setImmediate);
    const again = world.loop.place('a', 2);
    expect(again).toBeDefined();
    again?.release();
  });

  it('count when the loop claims: it asks for what is left', async () => {
    const world = await asleep({ concurrency: 4, perMerchant: 2 });
    const place = world.loop.place('a', 2);
    world.loop.wake();
    await world.until(() => world.claims.length === 2);
    expect(world.claims[1]).toMatchObject({ limit: 2, busy: ['a'] });
    place?.release();
  });

  it('are not had while the process holds back, nor after a stop', async () => {
    const world = await asleep();
    world.holdBack('the clock');
    expect(world.loop.place('a', 1)).toBeUndefined();
    world.holdBack(undefined);
    await world.loop.stop();
    expect(world.loop.place('a', 1)).toBeUndefined();
  });

  it('are let go of across a jump of time: the lease ends what was written', async () => {
    const world = await asleep({ concurrency: 1 });
    const place = world.loop.place('a', 1);
    world.jump();
    place?.run(items(1));
    expect(world.started).toEqual([]);
    const again = world.loop.place('a', 1);
    expect(again).toBeDefined();
    again?.release();
  });

  it('are waited for by a stop', async () => {
    const world = await asleep();
    const place = world.loop.place('a', 1);
    let isStopped = false;
    const stopped = world.loop.stop().then(() => {
      isStopped = true;
    });
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    place?.run(items(1));
    world.end(1);
    await stopped;
    expect(world.ids()).toEqual([[1]]);
  });

  it('are of an item whose failure counts like any other', async () => {
    const world = await asleep();
    world.failWith(1, new Error('no such thing'));
    world.loop.place('a', 1)?.run(items(1));
    world.end(1);
    await world.until(() => world.failed.length === 1);
    expect(world.failed).toMatchObject([{ id: 1 }]);
  });
});

describe('a fault', () => {
  it('of a claim is logged, and the next claim is made', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    world.failNextClaim(new Error('the database is away'));
    world.add(...items(1));
    world.loop.wake();
    await world.until(() => world.errors.length === 1);
    expect(world.errors[0]).toBe(
      'due work could not be claimed: {"work":"things","error":"the database is away"}',
    );
    world.loop.wake();
    await world.until(() => world.started.length === 1);
  });

  it('of a piece of work is logged, and gives its place free', async () => {
    const world = loopOver(items(2), { concurrency: 1, perMerchant: 1 });
    await world.until(() => world.started.length === 1);
    world.failWith(1, new Error('it broke'));
    world.end(1);
    await world.until(() => world.started.length === 2);
    expect(world.errors).toEqual([expect.stringContaining('"error":"it broke"')]);
    expect(world.ids()).toEqual([[1], [2]]);
    expect(world.failed).toEqual([{ id: 1, reason: 'a fault of ours: Error', at: now }]);
  });

  it('of a group fails none but the one that it is of: each is done by itself', async () => {
    const world = loopOver(items(3), { group: 3 });
    await world.until(() => world.started.length === 1);
    world.failWith(1, new InvariantError('a row is whole'));
    world.end(1);
    await world.until(() => world.started.length === 2);
    world.end(1);
    await world.until(() => world.started.length === 3);
    world.end(2);
    await world.until(() => world.started.length === 4);
    expect(world.ids()).toEqual([[1, 2, 3], [1], [2], [3]]);
    expect(world.failed).toEqual([{ id: 1, reason: 'Invariant broken: a row is whole', at: now }]);
  });

  it('of the database is nobody’s fault: the work waits for its lease', async () => {
    const world = loopOver(items(2), { concurrency: 1, perMerchant: 1 });
    await world.until(() => world.started.length === 1);
    world.failWith(1, new AppError('database_unreachable'));
    world.end(1);
    await world.until(() => world.started.length === 2);
    expect(world.failed).toEqual([]);
    expect(world.errors).toEqual([expect.stringContaining('due again when its lease ends')]);
  });
});

describe('a stop', () => {
  it('waits for what is under way, and takes nothing more', async () => {
    const world = loopOver(items(4), { concurrency: 2 });
    await world.until(() => world.started.length === 2);
    let isStopped = false;
    const stopped = world.loop.stop().then(() => {
      isStopped = true;
    });
    world.end(1);
    await new Promise(setImmediate);
    expect(isStopped).toBe(false);
    world.end(2);
    await stopped;
    world.loop.wake();
    await new Promise(setImmediate);
    expect(world.ids()).toEqual([[1], [2]]);
  });

  it('of an idle loop is at once, however long its sleep', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    await world.loop.stop();
    expect(world.claims).toHaveLength(1);
  });

  it('finishes what a claim brings that was under way', async () => {
    const world = loopOver([]);
    await world.until(() => world.claims.length === 1);
    const looking = gate();
    const held = gate();
    world.holdClaims(async () => {
      looking.open();
      await held.opened;
      return undefined;
    });
    world.add(...items(1));
    world.loop.wake();
    await looking.opened;
    const stopped = world.loop.stop();
    held.open();
    await world.until(() => world.started.length === 1);
    world.end(1);
    await stopped;
    expect(world.claims).toHaveLength(2);
  });
});
