import { expect, it, onTestFinished } from 'vitest';
import { type Database, openDatabase } from '../../../src/store/database.ts';
import { groupCommit } from '../../../src/store/group-commit.ts';
import { onBehalfOf } from '../../../src/store/pool/behalf.ts';
import { forAll } from '../../../src/store/pool/for-all.ts';
import { createTestDatabase } from '../../kits/database.ts';

const one = { name: 'select_one', text: 'select 1 as one' };
const held = { name: 'wait_for_lock', text: 'select pg_advisory_xact_lock_shared(7)' };
const here = new AbortController().signal;
const read = (sender: string, signal = here) => ({ sender, signal, isRead: true });
const write = (sender: string, signal = here) => ({ sender, signal, isRead: false });

interface World {
  readonly db: Database;
  /** Statements that wait for a lock which the test holds. */
  readonly slow: (of: ReturnType<typeof read>) => Promise<unknown>;
  /** Resolves when so many wait for it. */
  readonly held: (count: number) => Promise<void>;
  /** Ends them. */
  readonly release: () => Promise<void>;
}

async function world(perSender: number): Promise<World> {
  const { connectionString, drop } = await createTestDatabase();
  const log = { warn: () => undefined };
  const db = openDatabase({ log }, { connectionString, poolSize: 4, perSender, placeWaitMs: 300 });
  const other = openDatabase({ log }, { connectionString, poolSize: 2 });
  const holder = await other.pool.connect();
  await holder.query('select pg_advisory_lock(7)');
  let isHeld = true;
  const release = async () => {
    if (isHeld) await holder.query('select pg_advisory_unlock(7)');
    isHeld = false;
  };
  onTestFinished(async () => {
    await release();
    holder.release();
    await Promise.all([db.close(), other.close()]);
    await drop();
  });
  const waiting = `select count(*)::int as n from pg_locks where locktype = 'advisory' and not granted
    and database = (select oid from pg_database where datname = current_database())`;
  return {
    db,
    release,
    slow: (of) => onBehalfOf(of, () => db.query(held, [])),
    async held(count) {
      for (;;) {
        const { rows } = await other.pool.query<{ n: number }>(waiting);
        if (rows[0]?.n === count) return;
      }
    },
  };
}

it("one merchant's slow reads leave connections to others, and its next one is refused by its share", async () => {
  const { db, slow, held: isHeld, release } = await world(2);
  const reads = [slow(read('a')), slow(read('a'))];
  await isHeld(2);
  await expect(slow(read('a'))).rejects.toMatchObject({ code: 'share_busy' });
  expect(await onBehalfOf(read('b'), () => db.query(one, []))).toEqual([{ one: 1 }]);
  expect(await db.query(one, [])).toEqual([{ one: 1 }]);
  await release();
  await Promise.all(reads);
});

it('a pool that is full is not a database that does not answer', async () => {
  const { db, slow, held: isHeld, release } = await world(4);
  const reads = ['a', 'b', 'c'].map((sender) => slow(read(sender)));
  const last = db.query(held, []);
  await isHeld(4);
  await expect(db.query(one, [])).rejects.toMatchObject({ code: 'database_busy' });
  await expect(slow(write('d'))).rejects.toMatchObject({ code: 'database_busy' });
  await release();
  await Promise.all([...reads, last]);
});

it('a caller who leaves waits for no connection any more', async () => {
  const { slow, held: isHeld } = await world(1);
  void slow(read('a')).catch(() => undefined);
  await isHeld(1);
  for (const of of [read, write]) {
    const caller = new AbortController();
    const waiting = slow(of('a', caller.signal));
    caller.abort();
    await expect(waiting).rejects.toMatchObject({ code: 'caller_gone' });
  }
});

it('a read whose caller left runs no further statement', async () => {
  const { db } = await world(1);
  const caller = new AbortController();
  const work = onBehalfOf(read('a', caller.signal), async () => {
    await db.query(one, []);
    caller.abort();
    await db.query(one, []);
  });
  await expect(work).rejects.toMatchObject({ code: 'caller_gone' });
});

it('a write that has begun is done to its end, whoever left', async () => {
  const { db } = await world(1);
  const caller = new AbortController();
  const rows = await onBehalfOf(write('a', caller.signal), async () => {
    await db.query(one, []);
    caller.abort();
    return db.transaction((tx) => tx.query(one, []));
  });
  expect(rows).toEqual([{ one: 1 }]);
});

it('what a request shares with others, or left behind, is not ended by its caller', async () => {
  const { db } = await world(1);
  const caller = new AbortController();
  const append = groupCommit({
    run: async (items: readonly number[]) => {
      await db.query(one, []);
      return items;
    },
    maxBatchSize: 10,
    maxInFlight: 1,
  });
  let later: Promise<unknown> | undefined;
  const begin = Promise.withResolvers<void>();
  const shared = onBehalfOf(read('a', caller.signal), async () => {
    later = begin.promise.then(() => db.query(one, []));
    caller.abort();
    return [await append(7), await forAll(db).query(one, [])];
  });
  expect(await shared).toEqual([7, [{ one: 1 }]]);
  begin.resolve();
  expect(await later).toEqual([{ one: 1 }]);
});
